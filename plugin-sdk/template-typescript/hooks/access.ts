// Lets readers who are signed in read full texts. Replace by what your plugin does.
import type { Access } from '@masthead/plugin';

export const access = {
  decide(_context, { permissions, signedIn }) {
    return { ...permissions, visitPower: permissions.visitPower || signedIn };
  },
} satisfies Access;
