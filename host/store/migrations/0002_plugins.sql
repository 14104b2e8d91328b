-- What a change did. Rows of before, and of an older version that still writes, do not know: they may have added.
ALTER TABLE changes ADD COLUMN action TEXT NOT NULL DEFAULT 'replaced';
