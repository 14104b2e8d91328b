//! The Masthead portal host: routes, documents, configuration and command line.
