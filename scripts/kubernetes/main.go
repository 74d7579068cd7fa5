// Checks the manifests of deploy/kubernetes without a cluster: builds each kustomization, and treats every object as
// Kubernetes' API server would when it is created. Exits with 1 and prints each problem otherwise.
//
//	npm run kubernetes
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	folders, err := kustomizations(os.Args[1])
	if err != nil {
		fail(err)
	}
	if len(folders) == 0 {
		fail(fmt.Errorf("%s has no kustomization", os.Args[1]))
	}
	problems := 0
	for _, folder := range folders {
		resources, err := build(folder)
		if err != nil {
			fail(err)
		}
		for _, one := range resources {
			for _, problem := range problemsOf(one) {
				problems++
				fmt.Printf("%s: %s %s: %s\n", folder, one.GetKind(), one.GetName(), problem)
			}
		}
		fmt.Printf("%s: %d objects checked\n", folder, len(resources))
	}
	if problems > 0 {
		fail(fmt.Errorf("%d problems", problems))
	}
}

// kustomizations returns the folders that can be applied: all but the components, which only change others.
func kustomizations(root string) ([]string, error) {
	var folders []string
	files, err := filepath.Glob(filepath.Join(root, "*", "kustomization.yaml"))
	for _, file := range files {
		folders = append(folders, filepath.Dir(file))
	}
	return folders, err
}

func build(folder string) ([]*resource.Resource, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, err
	}
	return built.Resources(), nil
}

// problemsOf reports why the API server would refuse an object, or what it would warn of.
func problemsOf(object *resource.Resource) []string {
	text, err := object.AsYAML()
	if err != nil {
		return []string{err.Error()}
	}
	if crd, isCustom := customKinds[object.GetKind()]; isCustom {
		return crd.problemsOf(text)
	}
	return builtInProblems(text)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
