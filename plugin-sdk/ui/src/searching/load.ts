/** Loads the parts of a search widget beyond its form: conditions, suggestions, the analysis of a text. It is not part of the first view. */
export const loadSearching = () => import('./searching.tsx');
