-- The number by which editors order the journals of a site, 0 for those that stand in the order in which they were added (`position`). The value is part of
-- `data` too.
ALTER TABLE journals ADD COLUMN hand_order BIGINT NOT NULL DEFAULT 0;
