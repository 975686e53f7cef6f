//! The list of tables: its contents, sitting down from it, and updates over a socket.

use futures_util::StreamExt as _;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::http::{Browser, Server};

/// The socket of a page that shows the lobby.
struct Board(WebSocketStream<TcpStream>);

impl Board {
    async fn open(of: &Browser, lang: &str) -> Result<Self, Error> {
        let address = format!("ws://{}/lobby/socket?lang={lang}", of.address);
        let mut request = address.into_client_request()?;
        let origin = format!("http://{}", of.address);
        request.headers_mut().insert("origin", origin.parse().unwrap());
        request.headers_mut().insert("cookie", of.jar().parse().unwrap());
        let stream = TcpStream::connect(of.address).await.unwrap();
        Ok(Self(client_async(request, stream).await?.0))
    }

    /// The next list.
    async fn next(&mut self) -> String {
        loop {
            if let Message::Text(text) = self.0.next().await.unwrap().unwrap() {
                return text.as_str().to_owned();
            }
        }
    }
}

#[test]
fn the_lobby_shows_tables_as_they_appear_fill_up_and_begin() {
    let server = Server::start();
    let (mut anna, mut bob, mut clara) = (server.visitor(), server.visitor(), server.visitor());
    for one in [&mut anna, &mut bob, &mut clara] {
        one.get("/");
    }
    let mut board = server.runtime.block_on(Board::open(&clara, "de")).unwrap();
    let next = |board: &mut Board| server.runtime.block_on(board.next());
    assert!(next(&mut board).contains("Gerade wartet kein Tisch auf Mitspieler."));
    let table = anna.post("/new", &[("game", "ongdu"), ("players", "2"), ("listed", "yes")]).location().to_owned();
    let open = next(&mut board);
    assert!(open.contains(&format!("action=\"{table}/sit\"")) && open.contains("1 freier Platz"), "{open}");
    bob.post(&format!("{table}/sit"), &[]).location();
    assert!(!next(&mut board).contains(&table), "it is full");
    let id = table.rsplit('/').next().unwrap().parse().unwrap();
    let player = anna.cookies["fairdeal"].parse::<server::ids::Key>().unwrap().player();
    let face = server::room::Face { name: "Anna".to_owned(), avatar: 1 };
    let start = server::room::Command::Start {};
    server.runtime.block_on(server.hub.command(id, player, &face, start)).unwrap();
    let running = next(&mut board);
    assert!(running.contains(&table) && running.contains("Zuschauen"), "{running}");
}

#[test]
fn visitors_sit_down_from_the_list_and_latecomers_see_who_was_faster() {
    let server = Server::start();
    let (mut anna, mut bob, mut clara) = (server.visitor(), server.visitor(), server.visitor());
    anna.get("/");
    let table = anna.post("/new", &[("game", "ongdu"), ("players", "2"), ("listed", "yes")]).location().to_owned();
    let sit = format!("{table}/sit");
    assert!(bob.get("/").body.contains(&format!("action=\"{sit}\"")));
    assert_eq!(bob.post(&sit, &[]).location(), table);
    assert!(bob.get(&table).body.contains("Stand up"), "Bob sits there");
    assert_eq!(bob.post(&sit, &[]).location(), table, "repeating it does no harm");
    assert_eq!(clara.post(&sit, &[]).location(), table);
    assert!(!clara.get(&table).body.contains("Stand up"), "it was full");
    assert_eq!(clara.post("/tables/0000000000000001/sit", &[]).status, 404);
    assert_eq!(clara.post("/tables/x/sit", &[]).status, 404);
}

#[test]
fn nobody_watches_the_lobby_without_a_key() {
    let server = Server::start();
    let stranger = server.visitor();
    let refused = server.runtime.block_on(Board::open(&stranger, "en")).err().unwrap();
    assert!(matches!(&refused, Error::Http(answer) if answer.status() == 401), "{refused:?}");
}
