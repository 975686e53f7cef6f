//! Players, and the matches they have played.

use super::read::table_id;
use super::work::{Failed, Work};
use super::{AppendError, Finished, Player, PlayerId, SeatResult, Statistics, Store, StoreError, TableId};

type ResultColumns = (String, i64, String, String, i64, i64, i64, i64, i64, i64, i64);

impl Store {
    /// A player who was here before.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        let row = sqlx::query_as("SELECT name, avatar, created_at, seen_at FROM players WHERE id = $1")
            .bind(id.to_string())
            .fetch_optional(self.pool());
        let row: Option<(String, String, i64, i64)> = self.read(row).await?;
        Ok(row.map(|(name, avatar, created_at, seen_at)| Player { id: *id, name, avatar, created_at, seen_at }))
    }

    /// Stores a player, new or changed. The time of their first visit is kept.
    ///
    /// # Errors
    /// Fails if the database cannot write it.
    pub async fn save_player(&self, player: Player) -> Result<(), AppendError> {
        self.write(Work::Save(player)).await.map(drop).map_err(Failed::into)
    }

    /// Notes that a player is here.
    ///
    /// # Errors
    /// Fails if the database cannot write it.
    pub async fn see_player(&self, player: PlayerId, at: i64) -> Result<(), AppendError> {
        self.write(Work::Seen(player, at)).await.map(drop).map_err(Failed::into)
    }

    /// All finished matches of a player, summed up per game.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn statistics(&self, player: &PlayerId) -> Result<Vec<Statistics>, StoreError> {
        // PostgreSQL's sums are of a wider type than their summands.
        let rows = sqlx::query_as(
            "SELECT game, COUNT(*), CAST(SUM(won) AS BIGINT), CAST(SUM(shared) AS BIGINT), \
             CAST(SUM(deals) AS BIGINT), CAST(SUM(total) AS BIGINT), CAST(SUM(place) AS BIGINT) \
             FROM results WHERE player_id = $1 GROUP BY game ORDER BY game",
        )
        .bind(player.to_string())
        .fetch_all(self.pool());
        let rows: Vec<(String, i64, i64, i64, i64, i64, i64)> = self.read(rows).await?;
        let sum_up = |(game, matches, won, shared, deals, total, places): (String, i64, i64, i64, i64, i64, i64)| {
            Statistics { game, matches, won, shared, deals, total, mean_place: places as f64 / matches as f64 }
        };
        Ok(rows.into_iter().map(sum_up).collect())
    }

    /// Whether this player finished a match before that time.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn has_finished(&self, player: &PlayerId, before: i64) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT 1 FROM results WHERE player_id = $1 AND over_at < $2 LIMIT 1")
            .bind(player.to_string())
            .bind(before)
            .fetch_optional(self.pool());
        Ok(self.read(row).await?.is_some())
    }

    /// The finished matches of a player, the latest first, of one game or of all. To continue a list, pass when and
    /// where its last match ended.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn finished(
        &self,
        player: &PlayerId,
        game: Option<&str>,
        before: Option<(i64, TableId)>,
        limit: i64,
    ) -> Result<Vec<Finished>, StoreError> {
        let (over_at, table) = match before {
            Some((over_at, table)) => (over_at, table.to_string()),
            None => (i64::MAX, String::new()),
        };
        let rows = sqlx::query(
            "SELECT table_id, seat, name, game, players, place, total, won, shared, deals, over_at FROM results \
             WHERE player_id = $1 AND (over_at, table_id) < ($2, $3) AND ($4 = '' OR game = $4) \
             ORDER BY over_at DESC, table_id DESC LIMIT $5",
        )
        .bind(player.to_string())
        .bind(over_at)
        .bind(table)
        .bind(game.unwrap_or_default())
        .bind(limit)
        .fetch_all(self.pool());
        Ok(self.readable(&self.read(rows).await?, |columns| finished(player, columns)))
    }

    /// Every seat's result of the match at a table, if it is finished.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn results(&self, table: TableId) -> Result<Vec<SeatResult>, StoreError> {
        type Row = (String, Option<String>, i64, String, String, i64, i64, i64, i64, i64, i64, i64);
        let rows = sqlx::query(
            "SELECT table_id, player_id, seat, name, game, players, place, total, won, shared, deals, over_at FROM results \
             WHERE table_id = $1 ORDER BY seat",
        )
        .bind(table.to_string())
        .fetch_all(self.pool());
        let result = |columns: Row| {
            let (_, player, seat, name, game, players, place, total, won, shared, deals, over_at) = columns;
            let player = player.map(|id| id.parse()).transpose();
            let player = player.map_err(|_| StoreError::Garbled("player id"))?;
            let (won, shared) = (won != 0, shared != 0);
            Ok(SeatResult { seat, player, name, game, players, place, total, won, shared, deals, over_at })
        };
        Ok(self.readable(&self.read(rows).await?, result))
    }
}

fn finished(player: &PlayerId, columns: ResultColumns) -> Result<Finished, StoreError> {
    let (table, seat, name, game, players, place, total, won, shared, deals, over_at) = columns;
    let (player, won, shared) = (Some(*player), won != 0, shared != 0);
    let result = SeatResult { seat, player, name, game, players, place, total, won, shared, deals, over_at };
    Ok(Finished { table: table_id(&table)?, result })
}
