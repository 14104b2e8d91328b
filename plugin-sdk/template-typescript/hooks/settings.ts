// Rejects settings that a JSON Schema cannot check. Export the hooks of your plugin as well, and list them in plugin.toml.
import { refuse, settings, type SettingsCheck } from '@masthead/plugin';

interface Settings {
  first: number;
  last: number;
}

export const settingsCheck = {
  check() {
    const { first, last } = settings<Settings>();
    if (last < first) refuse(`last: ${last} is before first, ${first}`);
  },
} satisfies SettingsCheck;
