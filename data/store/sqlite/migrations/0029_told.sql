-- Where a user was told of what they have achieved: on their page in the channel, or in a direct message; NULL: not yet.
ALTER TABLE achievements ADD COLUMN told TEXT CHECK (told IN ('page', 'message'));

-- Until now it was told at each look at the game's table.
UPDATE achievements SET told = 'page';
