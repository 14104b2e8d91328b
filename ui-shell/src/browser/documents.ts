/** Time in ms after which a navigation of the browser that has not replaced this document is taken for a download, which leaves it. */
const LEAVING_MS = 30_000;

let left = -Infinity;
addEventListener('beforeunload', () => (left = performance.now()));
// Back may bring the document as it was left.
addEventListener('pageshow', ({ persisted }) => persisted && (left = -Infinity));

/** Address of the page of this site that is being fetched. */
let destination: string | undefined;

/** Navigation by the browser, which loads a whole document. */
export const documents = {
  assign: (address: string): void => window.location.assign(address),
  replace: (address: string): void => window.location.replace(address),
  /** Loads the document again, or that of the page which the reader is on the way to: a reload would end that navigation. */
  reload: (): void => (destination === undefined ? window.location.reload() : window.location.assign(destination)),
  /** Says that a page of this site is being fetched, by its address, or that none is. */
  expect(address: string | undefined): void {
    destination = address;
  },
  /** Whether the browser is on the way to another document, to which it would not come if this one were loaded again. */
  isLeaving: (): boolean => performance.now() - left < LEAVING_MS,
};
