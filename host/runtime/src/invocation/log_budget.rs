//! Limits the log lines of a plugin in number, length and total size.

const LINE_BYTES: usize = 1024;

/// Remaining log lines and bytes of one instance.
pub(crate) struct LogBudget {
    lines: u32,
    bytes: usize,
}

impl LogBudget {
    pub(crate) fn new(lines: u32, bytes: usize) -> Self {
        Self { lines, bytes }
    }

    /// The line for the log, or `None` if the budget is used up.
    pub(crate) fn take(&mut self, message: &str) -> Option<String> {
        self.lines = self.lines.checked_sub(1)?;
        let length = message.floor_char_boundary(LINE_BYTES.min(self.bytes));
        self.bytes -= length;
        // Line breaks are replaced, because a plugin could forge lines with them.
        let mut line: String = message[..length].chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if length < message.len() {
            line.push_str(" [cut]");
        }
        if self.lines == 0 || self.bytes == 0 {
            self.lines = 0;
            line.push_str(" [further lines of this request are dropped]");
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_are_truncated_counted_and_cannot_forge_others() {
        let mut budget = LogBudget::new(3, 1500);
        assert_eq!(budget.take("a\nb\x1b[1m").unwrap(), "a b [1m");
        let long = budget.take(&"刊".repeat(2000)).unwrap();
        assert!(long.ends_with("[cut]") && long.len() < 1100, "{}", long.len());
        assert!(budget.take("last").unwrap().ends_with("dropped]"));
        assert_eq!(budget.take("more"), None);
    }

    #[test]
    fn the_total_size_is_limited() {
        let mut budget = LogBudget::new(100, 10);
        assert!(budget.take(&"x".repeat(50)).unwrap().starts_with("xxxxxxxxxx [cut]"));
        assert_eq!(budget.take("more"), None);
    }
}
