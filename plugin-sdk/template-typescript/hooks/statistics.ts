// Adds a parameter to requests for resource statistics. Replace this with the code of your plugin.
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
