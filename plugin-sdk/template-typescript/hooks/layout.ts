// Adds a UI module to a slot of the home page. Replace this with the code of your plugin.
import { settings, type Layout } from '@masthead/plugin';

/** The settings are the module's properties, too. */
interface Row {
  links: unknown[];
}

export const layout = {
  contribute(context) {
    const { links } = settings<Row>();
    if (context.route !== 'home' || links.length === 0) return [];
    return [{ slot: 'footer.rows', module: 'footer-friendship-links', props: JSON.stringify({ links }) }];
  },
} satisfies Layout;
