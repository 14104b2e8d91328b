// Adds an entry to the menu. Replace by what your plugin does.
import { settings, type Navigation } from '@masthead/plugin';

interface Settings {
  label: string;
  target: string;
}

export const navigation = {
  adjust(_context, menu) {
    // Without channels the host asks for languages only.
    if (menu.channels.length > 0) {
      const { label, target } = settings<Settings>();
      menu.channels.push({ id: -1n, parent: 0n, code: 'mine', label, target, newTab: target.startsWith('http') });
    }
    return menu;
  },
} satisfies Navigation;
