// Sends a message through everpost from Go, edits it, and waits until it is delivered. It connects only to Temporal.
//
// Run it against `everpost dev`, in a folder of its own:
//
//	go mod init example && go get go.temporal.io/sdk
//	go run send_message.go 127.0.0.1:7233 A17
//
// docs/contract.md describes every field and response.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

type input map[string]any

func main() {
	address, booking := "127.0.0.1:7233", "A17"
	if len(os.Args) == 3 {
		address, booking = os.Args[1], os.Args[2]
	}
	if err := moveBooking(context.Background(), address, booking); err != nil {
		var refusal *temporal.ApplicationError
		if errors.As(err, &refusal) {
			log.Fatalf("%s: %s", refusal.Type(), refusal.Message())
		}
		log.Fatal(err)
	}
}

func moveBooking(ctx context.Context, address, booking string) error {
	everpost, err := client.Dial(client.Options{HostPort: address})
	if err != nil {
		return err
	}
	defer everpost.Close()
	message, err := everpost.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       "booking-" + booking,
		TaskQueue:                "everpost",
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
	}, "message", input{
		"instance": "main",
		"to":       "15551234567",
		"content":  input{"kind": "text", "text": "Your table is booked for 7."},
		"key":      "booking-" + booking, // a repeated start sends nothing more
	})
	if err != nil {
		return err
	}
	var edit, arrived input
	// The update id makes a repeated edit safe.
	if err := update(ctx, everpost, message, "edit", "move-"+booking, input{"text": "Your table is booked for 8."}, &edit); err != nil {
		return err
	}
	wait := input{"state": "delivered", "timeoutMs": 60_000}
	if err := update(ctx, everpost, message, "waitFor", "", wait, &arrived); err != nil {
		return err
	}
	fmt.Println(edit["outcome"], arrived["id"], arrived["state"])
	return nil
}

func update(ctx context.Context, everpost client.Client, run client.WorkflowRun, name, id string, arg, result any) error {
	handle, err := everpost.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID:   run.GetID(),
		UpdateID:     id,
		UpdateName:   name,
		Args:         []any{arg},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return err
	}
	return handle.Get(ctx, result)
}
