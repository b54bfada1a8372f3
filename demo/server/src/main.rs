//! The command: reads its options, opens the data, listens.
use demo_server::{App, Config, Scenario, Upstream, serve};
use std::error::Error;
use std::process::ExitCode;
use tokio::net::TcpListener;

const USAGE: &str = "demo-server [--host 127.0.0.1] [--port 8787] [--data demo/data/vitals.sqlite]
            [--web target/demo-web] [--sdk dist] [--seed 1] [--scenario realistic]
            [--upstream URL --model NAME] [--otlp URL]";

struct Options {
    host: String,
    port: u16,
    config: Config,
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let (mut host, mut port, mut upstream, mut model) = ("127.0.0.1".to_owned(), 8787, None, None);
    let mut config = Config {
        data: "demo/data/vitals.sqlite".into(),
        web: "target/demo-web".into(),
        sdk: "dist".into(),
        seed: 1,
        upstream: None,
        otlp: None,
        scenario: Scenario::default(),
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value\n{USAGE}"))?;
        match name.as_str() {
            "--host" => host = value,
            "--port" => port = value.parse()?,
            "--data" => config.data = value.into(),
            "--web" => config.web = value.into(),
            "--sdk" => config.sdk = value.into(),
            "--seed" => config.seed = value.parse()?,
            "--scenario" => config.scenario = value.parse()?,
            "--otlp" => config.otlp = Some(value),
            "--upstream" => upstream = Some(value),
            "--model" => model = Some(value),
            _ => return Err(format!("{name} is not known\n{USAGE}").into()),
        }
    }
    config.scenario.check()?;
    config.upstream = match (upstream, model) {
        (Some(url), Some(model)) => Some(Upstream { url, model, key: key() }),
        (None, None) => None,
        _ => return Err(format!("--upstream and --model belong together\n{USAGE}").into()),
    };
    Ok(Options { host, port, config })
}

fn key() -> Option<String> {
    ["CHAT_VITALS_UPSTREAM_KEY", "OPENAI_API_KEY"].iter().find_map(|name| std::env::var(name).ok())
}

async fn run() -> Result<(), Box<dyn Error>> {
    let Options { host, port, config } = options(std::env::args().skip(1))?;
    let app = App::new(config)?;
    let bound = TcpListener::bind((host.as_str(), port)).await;
    let listener = bound.map_err(|error| format!("cannot listen on {host}:{port}: {error}"))?;
    println!("chat-vitals demo: http://{}", listener.local_addr()?);
    serve(app, listener).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demo-server: {error}");
            ExitCode::FAILURE
        }
    }
}
