// Adds a parameter when resources are counted. Replace by what your plugin does.
import { settings, type Statistics } from '@masthead/plugin';

interface Settings {
  name: string;
  value: string;
}

export const statistics = {
  parameters(_context, parameters) {
    const { name, value } = settings<Settings>();
    return [...parameters.filter(([other]) => other !== name), [name, value]];
  },
} satisfies Statistics;
