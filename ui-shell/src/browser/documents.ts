/** Navigation by the browser, which loads a whole document. */
export const documents = {
  assign: (address: string): void => window.location.assign(address),
  replace: (address: string): void => window.location.replace(address),
  reload: (): void => window.location.reload(),
};
