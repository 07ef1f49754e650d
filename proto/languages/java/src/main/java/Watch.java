import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import kontor.v1.PlayServiceGrpc;
import kontor.v1.WatchViewRequest;

/** Watches a table and prints what happens: Watch 127.0.0.1:50051 [table id] [token]. */
class Watch {
  public static void main(String[] args) {
    var headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + args[2]);
    var channel = ManagedChannelBuilder.forTarget(args[0]).usePlaintext().build();
    var play = PlayServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    play.watchView(WatchViewRequest.newBuilder().setTableId(args[1]).build()).forEachRemaining(news -> {
      news.getChangesList().forEach(change -> change.getEventsList().forEach(event ->
          System.out.println(event.getSentence().getText())));
      if (news.getView().hasDecision()) System.out.println(news.getView().getDecision().getQuestion().getText());
    });
  }
}
