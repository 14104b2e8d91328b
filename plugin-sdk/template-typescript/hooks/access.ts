// Gives signed-in readers access to full texts. Replace this with the code of your plugin.
import type { Access } from '@masthead/plugin';

export const access = {
  decide(_context, { permissions, signedIn }) {
    return { ...permissions, visitPower: permissions.visitPower || signedIn };
  },
} satisfies Access;
