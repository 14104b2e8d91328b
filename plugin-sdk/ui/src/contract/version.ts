/**
 * Version of the contract between shell and modules. It changes when a module that was built before would not work any more: a property of
 * a slot is renamed or gets another meaning. Additions change only the version of this package.
 */
export const CONTRACT = 1;

/** The oldest version whose modules the shell still mounts. */
export const OLDEST_CONTRACT = 1;

/** Version of this package. A module asks for the SDK that it was built with or a later compatible one, which the shell shares with it. */
export const SDK_VERSION = '0.2.0';

/**
 * The versions as which the shell and the host share this package. A module that was built with 0.1 asks for `^0.1.0`, which 0.2.0 does not meet by its
 * number, although it has everything that 0.1 had: `frozen` has the exports of each version.
 */
export const SHARED_VERSIONS = [SDK_VERSION, '0.1.0'];
