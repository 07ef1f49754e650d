// Watches a table and prints what happens: watch.js 127.0.0.1:50051 <table id> <token>.
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { PlayService } from "./gen/kontor/v1/play_service_pb.js";

const [address, tableId = "", token] = process.argv.slice(2);
const play = createClient(PlayService, createGrpcTransport({ baseUrl: `http://${address}` }));
const headers = { authorization: `Bearer ${token}` };
for await (const { changes, view } of play.watchView({ tableId }, { headers })) {
  for (const event of changes.flatMap((change) => change.events)) console.log(event.sentence?.text);
  const { question, options = [] } = view?.decision ?? {};
  if (question) console.log(question.text, options.map((option) => option.sentence?.text));
}
