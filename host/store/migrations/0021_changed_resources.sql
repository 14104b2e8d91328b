-- When a resource was last changed, in milliseconds since 1970; 0 for rows of before, and for figures and tables, which change with their article.
ALTER TABLE resources ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
