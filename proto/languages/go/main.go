// Watches a table and prints what happens: watch 127.0.0.1:50051 <table id> <token>.
package main

import (
	"context"
	"fmt"
	"os"

	kontor "example.com/watch/gen/kontor/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

func main() {
	address, table, token := os.Args[1], os.Args[2], os.Args[3]
	channel, _ := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	ctx := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
	watch, err := kontor.NewPlayServiceClient(channel).WatchView(ctx, &kontor.WatchViewRequest{TableId: table})
	for err == nil {
		var news *kontor.WatchViewResponse
		news, err = watch.Recv()
		for _, change := range news.GetChanges() {
			for _, event := range change.GetEvents() {
				fmt.Println(event.GetSentence().GetText())
			}
		}
		if decision := news.GetView().GetDecision(); decision != nil {
			fmt.Println(decision.GetQuestion().GetText(), len(decision.GetOptions()), "options")
		}
	}
	fmt.Fprintln(os.Stderr, err)
}
