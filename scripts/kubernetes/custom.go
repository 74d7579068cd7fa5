package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// A kind that a cluster has only with an operator: the operator's own definition of it, in its Go module.
type customKind struct{ module, file string }

var customKinds = map[string]customKind{
	"PodMonitor": {
		module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
		file:   "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
	},
	"ScaledObject": {
		module: "github.com/kedacore/keda/v2@v2.21.0",
		file:   "config/crd/bases/keda.sh_scaledobjects.yaml",
	},
}

// problemsOf refuses unknown fields, and what the schema of the definition or its rules refuse.
func (kind customKind) problemsOf(text []byte) []string {
	var object map[string]any
	plain, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return []string{err.Error()}
	}
	// Not the standard library's, which has no integers.
	if err := json.Unmarshal(plain, &object); err != nil {
		return []string{err.Error()}
	}
	schema, err := kind.schemaOf(object["apiVersion"])
	if err != nil {
		return []string{err.Error()}
	}
	structural, err := structuralschema.NewStructural(schema)
	if err != nil {
		return []string{err.Error()}
	}
	validator, _, err := validation.NewSchemaValidator(schema)
	if err != nil {
		return []string{err.Error()}
	}
	errs := validation.ValidateCustomResource(nil, object, validator)
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	broken, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
	var problems []string
	for _, one := range append(errs, broken...) {
		problems = append(problems, one.Error())
	}
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	for _, path := range pruning.PruneWithOptions(object, structural, true, options) {
		problems = append(problems, fmt.Sprintf("unknown field %q", path))
	}
	return problems
}

func (kind customKind) schemaOf(apiVersion any) (*apiextensions.JSONSchemaProps, error) {
	definition, err := kind.definition()
	if err != nil {
		return nil, err
	}
	for _, version := range definition.Spec.Versions {
		if apiVersion != definition.Spec.Group+"/"+version.Name {
			continue
		}
		var schema apiextensions.JSONSchemaProps
		err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
			version.Schema.OpenAPIV3Schema, &schema, nil)
		return &schema, err
	}
	return nil, fmt.Errorf("%s does not define the version %v", kind.file, apiVersion)
}

func (kind customKind) definition() (*apiextensionsv1.CustomResourceDefinition, error) {
	// Outside of this module, whose own dependencies it is not.
	download := exec.Command("go", "mod", "download", "-json", kind.module)
	download.Dir = os.TempDir()
	output, err := download.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", kind.module, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(output, &module); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, kind.file))
	if err != nil {
		return nil, err
	}
	definition := &apiextensionsv1.CustomResourceDefinition{}
	return definition, yaml.Unmarshal(text, definition)
}
