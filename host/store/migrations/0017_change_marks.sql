-- A random number of each change. A follower of the log keeps the number and the mark of the last change that it has processed: if the row with
-- this number has another mark, or does not exist, the database was restored or has failed over to one that had not received all changes,
-- and the follower goes back to a change that both have. Rows of before, and of an older version that still writes, have 0.
ALTER TABLE changes ADD COLUMN mark BIGINT NOT NULL DEFAULT 0;
