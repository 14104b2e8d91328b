import { isLargeAtHome, searches } from '../../../ui-shell/test/searchWidget.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

searches(module, manifest);
isLargeAtHome(module);
