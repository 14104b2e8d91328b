// Adds an entry to the menu. Replace this with the code of your plugin.
import { settings, type Navigation } from '@masthead/plugin';

interface Settings {
  label: string;
  target: string;
}

export const navigation = {
  adjust(_context, menu) {
    // If there are no channels, the host requests the languages only.
    if (menu.channels.length > 0) {
      const { label, target } = settings<Settings>();
      menu.channels.push({ id: -1n, parent: 0n, code: 'mine', label, target, newTab: target.startsWith('http') });
    }
    return menu;
  },
} satisfies Navigation;
