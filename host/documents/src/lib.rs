//! JATS in; content nodes and sanitized semantic HTML out.
