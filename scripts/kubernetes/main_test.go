package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const manifests = "../../deploy/kubernetes"

// Each changes one file of the manifests, and the check must notice it in the kustomization that has everything.
var mistakes = map[string]struct{ file, from, to, problem string }{
	"a field that does not exist": {
		"base/worker.yaml", "terminationGracePeriodSeconds", "terminationGracePeriod", "unknown field"},
	"a reference to a volume that is missing": {
		"base/worker.yaml", "name: tmp, mountPath", "name: temp, mountPath", `Not found: "temp"`},
	"a request beyond the limit": {
		"base/worker.yaml", "memory: 512Mi", "memory: 2Gi", "must be less than or equal to memory limit"},
	"a process that may run as root": {
		"base/api.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "pod security, restricted"},
	"a container that keeps its capabilities": {
		"base/migrate.yaml", "drop: [ALL]", "drop: [CHOWN]", "pod security, restricted"},
	"a rollout that cannot go on": {
		"base/api.yaml", "maxSurge: 1", "maxSurge: 0", "may not be 0"},
	"a job that restarts for ever": {
		"base/migrate.yaml", "restartPolicy: Never", "restartPolicy: Always", "restartPolicy"},
	"an unknown field of KEDA": {
		"components/autoscaling/scaled-object.yaml", "metricType: Value", "metricKind: Value", "unknown field"},
	"a rule of KEDA": {
		"components/autoscaling/scaled-object.yaml", "minReplicaCount: 2", "minReplicaCount: 9", "must be less than or equal"},
	"a pattern of the Prometheus operator": {
		"components/monitoring/pod-monitor.yaml", "interval: 15s", "interval: often", "should match"},
}

func TestNoticesMistakes(t *testing.T) {
	for name, mistake := range mistakes {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.CopyFS(root, os.DirFS(manifests)); err != nil {
				t.Fatal(err)
			}
			replace(t, filepath.Join(root, mistake.file), mistake.from, mistake.to)
			resources, err := build(filepath.Join(root, "example-with-operators"))
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, one := range resources {
				found = append(found, problemsOf(one)...)
			}
			if !strings.Contains(strings.Join(found, "\n"), mistake.problem) {
				t.Errorf("expected %q, found %q", mistake.problem, found)
			}
		})
	}
}

func replace(t *testing.T, file, from, to string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), from) {
		t.Fatalf("%s has no %q", file, from)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), from, to)), 0o600); err != nil {
		t.Fatal(err)
	}
}
