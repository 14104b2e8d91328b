import { describe, it } from 'vitest';
import { isHeader, leadsToPersonalCentre, showsButtons, showsFrame } from '../../../ui-shell/test/header.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

isHeader(module, manifest);

describe('nav-alternate', () => {
  it('shows name, channels, buttons and sign-in, and axe finds nothing', () => showsFrame(module, 'nav-alternate'));
  it('has the buttons with their pictures for wide and narrow screens, at most three', () => showsButtons(module));
  it('leads a signed-in reader to the personal centre', () => leadsToPersonalCentre(module));
});
