package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"

	podsecurity "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// What the API server does when an object of a kind is created.
var creation = map[string]rest.RESTCreateStrategy{
	"ConfigMap":           configmap.Strategy,
	"Deployment":          deployment.Strategy,
	"Job":                 job.Strategy,
	"PodDisruptionBudget": poddisruptionbudget.Strategy,
	"Service":             service.Strategy,
}

// builtInProblems refuses unknown and repeated fields, and what the API server refuses or warns of after its defaults.
func builtInProblems(text []byte) []string {
	strict := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict)
	object, kind, err := strict.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return []string{err.Error()}
	}
	strategy, isKnown := creation[kind.Kind]
	if !isKnown {
		return []string{"this check does not know the kind: add it to built_in.go"}
	}
	legacyscheme.Scheme.Default(object)
	return append(podProblems(object), creationProblems(object, strategy)...)
}

func creationProblems(object runtime.Object, strategy rest.RESTCreateStrategy) []string {
	internal, err := legacyscheme.Scheme.UnsafeConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		return []string{err.Error()}
	}
	accessor := internal.(metav1.Object)
	if accessor.GetNamespace() == "" {
		accessor.SetNamespace(metav1.NamespaceDefault)
	}
	accessor.SetUID(types.UID("00000000-0000-4000-8000-000000000000"))
	accessor.SetCreationTimestamp(metav1.NewTime(time.Unix(0, 0)))
	recorder := &warnings{}
	ctx := warning.WithWarningRecorder(requestFor(object, accessor.GetNamespace()), recorder)
	if err := rest.BeforeCreate(strategy, ctx, internal); err != nil {
		return append(recorder.found, err.Error())
	}
	return recorder.found
}

// requestFor is what the validation reads of a request: the namespace, and the version of the API that it uses.
func requestFor(object runtime.Object, namespace string) context.Context {
	kind := object.GetObjectKind().GroupVersionKind()
	info := &request.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version, Namespace: namespace, Verb: "create"}
	return request.WithRequestInfo(request.WithNamespace(context.Background(), namespace), info)
}

type warnings struct{ found []string }

func (w *warnings) AddWarning(_, text string) { w.found = append(w.found, "warning: "+text) }

// podProblems reports what the strictest Pod Security Standard forbids.
func podProblems(object runtime.Object) []string {
	pod := podOf(object)
	if pod == nil {
		return nil
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return []string{err.Error()}
	}
	restricted := podsecurity.LevelVersion{Level: podsecurity.LevelRestricted, Version: podsecurity.LatestVersion()}
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec))
	if result.Allowed {
		return nil
	}
	return []string{fmt.Sprintf("pod security, restricted: %s", result.ForbiddenDetail())}
}

func podOf(object runtime.Object) *corev1.PodTemplateSpec {
	switch typed := object.(type) {
	case *appsv1.Deployment:
		return &typed.Spec.Template
	case *batchv1.Job:
		return &typed.Spec.Template
	}
	return nil
}
