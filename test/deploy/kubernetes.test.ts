/** deploy/kubernetes: what needs neither Go nor a cluster. `npm run kubernetes` checks the rest. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { problemsOf } from '../docs/known-command.js';
import { ROOT, composeWith, readSource } from './compose-file.js';
import { check } from './exported-metrics.js';
import { SETTINGS } from './settings.js';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly envFrom?: readonly unknown[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
}
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly defaultMode: number } }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly spec: Pod } };
}
interface Kustomization {
  readonly configMapGenerator: readonly [{ readonly literals: readonly string[] }];
  readonly labels: readonly [{ readonly pairs: Readonly<Record<string, string>> }];
}

const folder = 'deploy/kubernetes';
/** As Kubernetes reads YAML: 0440 is octal. */
async function read<Type>(path: string): Promise<Type[]> {
  const documents = parseAllDocuments(await readSource(`${folder}/${path}`), { version: '1.1' });
  return documents.map((document) => document.toJS() as Type);
}
async function readOne<Type>(path: string): Promise<Type> {
  const [only] = await read<Type>(path);
  if (only === undefined) throw new Error(`${path} is empty`);
  return only;
}

const manifests = (
  await Promise.all(['worker', 'api', 'migrate'].map((name) => read<Manifest>(`base/${name}.yaml`)))
).flat();
const pods = manifests
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map(({ metadata, spec }) => ({ name: metadata.name.replace('everpost-', ''), pod: spec.template.spec }));
const podOf = (name: string): Pod => {
  const found = pods.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no pod ${name}`);
  return found.pod;
};
/** Of the base, and of the example on top. */
const settings = Object.fromEntries(
  (await Promise.all(['base', 'example'].map((name) => readOne<Kustomization>(`${name}/kustomization.yaml`))))
    .flatMap(({ configMapGenerator: [{ literals }] }) => literals)
    .map((literal) => [literal.replace(/=.*/, ''), literal.replace(/^\w+=/, '')]),
) as Readonly<Record<string, string>>;
/** Those of its own, and those of the ConfigMap if it has that. */
const variablesOf = ({ containers: [{ env, envFrom }] }: Pod): Readonly<Record<string, string>> => ({
  ...(envFrom === undefined ? {} : settings),
  ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
});

test('there is a pod for worker, API and migration, each with one container', () => {
  expect(pods.map(({ name }) => name)).toEqual(['worker', 'api', 'migrate']);
  for (const { name, pod } of pods) expect(pod.containers, name).toHaveLength(1);
});

test('every variable is one that everpost reads', () => {
  const names = pods.flatMap(({ pod }) => Object.keys(variablesOf(pod)));
  expect(names).toContain('TEMPORAL_ADDRESS');
  expect([...SETTINGS, 'NODE_OPTIONS']).toEqual(expect.arrayContaining(names));
});

test('worker and API have the variables of compose, and no pod has those that Kubernetes makes of Services', async () => {
  const { services } = await composeWith();
  for (const name of ['worker', 'api']) {
    const { EVERPOST_TEMPORAL_UI_URL: _optional, ...ofCompose } = services[name]?.environment ?? {};
    const here = variablesOf(podOf(name));
    expect(Object.keys(here), name).toEqual(expect.arrayContaining(Object.keys(ofCompose)));
    expect(here['NODE_OPTIONS']).toBe(ofCompose['NODE_OPTIONS']);
  }
  for (const { name, pod } of pods) expect(pod.enableServiceLinks, name).toBe(false);
});

test('every secret is a file in a mounted folder, readable for the group only', () => {
  for (const { name, pod } of pods) {
    const { volumeMounts: mounts } = pod.containers[0];
    const modes = pod.volumes.flatMap(({ secret }) => secret?.defaultMode ?? []);
    expect(modes, name).toEqual([0o440, 0o440]);
    expect(mounts.map((mount) => mount.name)).toEqual(pod.volumes.map((volume) => volume.name));
    expect(
      mounts.filter(({ subPath }) => subPath !== undefined),
      name,
    ).toEqual([]);
    const files = Object.entries(variablesOf(pod)).filter(([variable]) => variable.endsWith('_FILE'));
    expect(files.length).toBeGreaterThan(1);
    for (const [variable, path] of files) {
      expect(
        mounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)),
        `${name}: ${variable}`,
      ).toBe(true);
    }
  }
});

test('only the migration has the secret of the role that may change tables', () => {
  const withIt = pods.filter(({ pod }) => JSON.stringify(pod).includes('everpost-migrate'));
  expect(withIt.map(({ name }) => name)).toEqual(['migrate']);
});

test('every container runs a command of everpost, by the image of compose', async () => {
  expect(await readSource('Dockerfile')).toContain('ENTRYPOINT ["node", "bin/everpost.js"]');
  for (const { name, pod } of pods) {
    const { image, args } = pod.containers[0];
    expect(image).toBe('everpost');
    expect(problemsOf(`npx everpost ${args.join(' ')}`), name).toEqual([]);
  }
});

test('the probes ask the ports at which the processes listen, and only /livez restarts one', () => {
  for (const [name, variable] of [
    ['worker', 'EVERPOST_METRICS_PORT'],
    ['api', 'EVERPOST_HTTP_PORT'],
  ] as const) {
    const { ports = [], startupProbe, livenessProbe, readinessProbe } = podOf(name).containers[0];
    expect(ports.map(({ containerPort }) => String(containerPort))).toEqual([variablesOf(podOf(name))[variable]]);
    const port = ports[0]?.name;
    expect([startupProbe?.httpGet, livenessProbe?.httpGet]).toEqual([
      { path: '/livez', port },
      { path: '/livez', port },
    ]);
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port });
  }
});

test('a process has the time to stop that docs/operate.md names, after its preStop', async () => {
  const page = await readSource('docs/operate.md');
  const [, worker, api] = /Allow the worker (\d+) seconds, the API (\d+)/.exec(page) ?? [];
  const timeOf = (name: string) =>
    podOf(name).terminationGracePeriodSeconds - (podOf(name).containers[0].lifecycle?.preStop.sleep.seconds ?? 0);
  expect([timeOf('worker'), timeOf('api')]).toEqual([Number(worker), Number(api)]);
});

test('the memory limits are those of compose', async () => {
  const { services } = await composeWith();
  for (const name of ['worker', 'api']) {
    expect(podOf(name).containers[0].resources.limits.memory).toBe(
      services[name]?.mem_limit?.replace(/^(\d)g$/, '$1Gi'),
    );
  }
});

describe('the components for operators', () => {
  interface ScaledObject {
    readonly spec: {
      readonly maxReplicaCount: number;
      readonly scaleTargetRef: { readonly name: string };
      readonly triggers: readonly { readonly metadata: { readonly query?: string } }[];
    };
  }

  test('autoscaling uses a metric that everpost exports', async () => {
    const { spec } = await readOne<ScaledObject>('components/autoscaling/scaled-object.yaml');
    const queries = spec.triggers.flatMap(({ metadata }) => metadata.query ?? []);
    expect(queries).toHaveLength(1);
    for (const query of queries) check('scaled-object.yaml', query, '');
    expect(spec.scaleTargetRef.name).toBe('everpost-worker');
  });

  test("autoscaling stays below PostgreSQL's default of 100 connections, of which 3 are for superusers", async () => {
    const { spec } = await readOne<ScaledObject>('components/autoscaling/scaled-object.yaml');
    const page = await readSource('docs/operate.md');
    const each = Number(/every everpost process up to (\d+)/.exec(page)?.[1]);
    const api = manifests.find(({ metadata }) => metadata.name === 'everpost-api')!;
    const { replicas } = api.spec as unknown as { readonly replicas: number };
    const processes = spec.maxReplicaCount + 1 + replicas + 1;
    expect(processes * each).toBe(88);
    expect(processes * each).toBeLessThanOrEqual(97);
  });

  test('Prometheus scrapes the ports of worker and API, as the job of the alert rules', async () => {
    const { spec } = await readOne<{
      spec: { jobLabel: string; podMetricsEndpoints: readonly { port: string; interval: string }[] };
    }>('components/monitoring/pod-monitor.yaml');
    const ports = ['worker', 'api'].map((name) => podOf(name).containers[0].ports?.[0]?.name);
    expect(spec.podMetricsEndpoints.map(({ port }) => port)).toEqual(ports);
    const { labels } = await readOne<Kustomization>('base/kustomization.yaml');
    expect(labels[0].pairs[spec.jobLabel]).toBe('everpost');
    expect(await readSource('deploy/prometheus/everpost.rules.yml')).toContain('up{job="everpost"}');
  });
});

test('npm run kubernetes checks the folders that can be applied', () => {
  const folders = readdirSync(`${ROOT}/${folder}`, { withFileTypes: true }).map(({ name }) => name);
  expect(folders.toSorted()).toEqual(['base', 'components', 'example', 'example-with-operators']);
});
