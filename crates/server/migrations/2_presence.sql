-- When somebody who sits at a table that has not begun had it open last, on any server.
ALTER TABLE seats ADD COLUMN here_at BIGINT NOT NULL DEFAULT 0;
