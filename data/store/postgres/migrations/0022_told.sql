-- Where a user was told of an achievement, as SQLite's migration 0029 has it.
ALTER TABLE achievements ADD COLUMN told text COLLATE "C" CHECK (told IN ('page', 'message'));

UPDATE achievements SET told = 'page';
