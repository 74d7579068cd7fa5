import type { Context } from 'hono';
import { EverpostError } from '../../http-client/index.js';
import { Table } from '../elements.js';
import { Page } from '../layout.js';
import type { Pages } from '../page.js';
import type { Reader } from '../reader.js';
import { curlOf } from './reference-curl.js';
import { fieldsOf, type Document, type Field, type Operation, type Schema } from './reference-schema.js';

/** The API as a readable reference, from its own openapi.json. */
export function referencePages(pages: Pages): void {
  pages.show('/docs', async (c, reader) => {
    const groups = groupsOf(await readDocument(reader));
    return c.html(
      <Page title="API reference" reader={reader}>
        <h1>API reference</h1>
        <p>
          Every request carries an API key: <code>Authorization: Bearer KEY</code>. An error is a problem document (
          <code>application/problem+json</code>) with a stable <code>code</code>. The same as one document for programs:{' '}
          <a href="/openapi.json">openapi.json</a>
        </p>
        {[...groups].map(([name, operations]) => (
          <section aria-labelledby={name}>
            <h2 id={name}>
              <a href={`/docs/${name}`}>{titleOf(name)}</a>
            </h2>
            <ul class="routes">
              {operations.map(({ method, path, operation }) => (
                <li>
                  <a href={`/docs/${name}#${operation.operationId}`}>
                    <Route method={method} path={path} />
                  </a>{' '}
                  <span class="quiet-text">{operation.summary}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Page>,
    );
  });
  pages.show('/docs/:group', (c, reader) => groupPage(c, reader));
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

async function readDocument({ api }: Reader): Promise<Document> {
  return (await api.openapi()) as unknown as Document;
}

/** By the first part of the path after the version; the routes of the process itself together. */
function groupsOf({ paths }: Document): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const [path, methods] of Object.entries(paths)) {
    const [, group = 'service'] = /^\/v1\/([\w-]+)/.exec(path) ?? [];
    const entries = Object.entries(methods).map(([method, operation]) => ({ method, path, operation }));
    groups.set(group, [...(groups.get(group) ?? []), ...entries]);
  }
  return groups;
}

function titleOf(group: string): string {
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Route({ method, path }: { method: string; path: string }) {
  return (
    <code class="route">
      <strong>{method.toUpperCase()}</strong> {path}
    </code>
  );
}

async function groupPage(c: Context, reader: Reader): Promise<Response> {
  const group = c.req.param('group') ?? '';
  const document = await readDocument(reader);
  const operations = groupsOf(document).get(group);
  if (operations === undefined) {
    throw new EverpostError(`The API has no routes ${group}. Open the reference: /docs`, {
      code: 'ROUTE_NOT_FOUND',
      status: 404,
    });
  }
  const { origin } = new URL(c.req.url);
  return c.html(
    <Page title={`${titleOf(group)} · API reference`} reader={reader}>
      <p class="path">
        <a href="/docs">API reference</a>
      </p>
      <h1>{titleOf(group)}</h1>
      {operations.map((entry) => (
        <OperationSection entry={entry} document={document} origin={origin} />
      ))}
    </Page>,
  );
}

function OperationSection({ entry, document, origin }: { entry: Entry; document: Document; origin: string }) {
  const { method, path, operation } = entry;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const answered = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const problems = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
  return (
    <section aria-labelledby={operationId} class="operation">
      <h2 id={operationId}>{summary}</h2>
      <p>
        <Route method={method} path={path} />
      </p>
      {description === undefined ? null : <p>{description}</p>}
      <pre class="data" tabindex={0} aria-label={`${summary} with curl`}>
        {curlOf(entry, document, origin)}
      </pre>
      {parameters.length === 0 ? null : (
        <Fields
          name={`Parameters of ${operationId}`}
          title="Parameters"
          fields={parameters.map(({ name, in: where, required, description: meaning = '', schema }) => ({
            name,
            type: `${where}, ${schema.type ?? 'text'}`,
            isRequired: required,
            meaning,
          }))}
        />
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
        <Content name={`Body of ${operationId}`} title={`Body, ${type}`} schema={schema} document={document} />
      ))}
      {answered.map(([status, { description: meaning, content = {} }]) => (
        <>
          <h3>
            {status}: {meaning}
          </h3>
          {Object.entries(content).map(([type, { schema }]) => (
            <Content name={`${status} of ${operationId}`} title={type} schema={schema} document={document} />
          ))}
        </>
      ))}
      <details class="evidence">
        <summary>Errors</summary>
        <Table name={`Errors of ${operationId}`} heads={['Status', 'Codes']}>
          {problems.map(([status, { description: codes }]) => (
            <tr>
              <th scope="row">{status}</th>
              <td class="whole">{codes}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

interface ContentProps {
  readonly name: string;
  readonly title: string;
  readonly schema: Schema;
  readonly document: Document;
}

function Content({ name, title, schema, document }: ContentProps) {
  const fields = fieldsOf(schema, document);
  if (fields.length === 0) return <p class="quiet-text">{[title, schema.description].filter(Boolean).join(': ')}</p>;
  return <Fields name={name} title={title} fields={fields} />;
}

/** Long ones are closed: the response of a message has dozens of fields. */
const MOST_OPEN = 12;

function Fields({ name, title, fields }: { name: string; title: string; fields: readonly Field[] }) {
  return (
    <details class="fields" open={fields.length <= MOST_OPEN}>
      <summary>{`${title} (${fields.length})`}</summary>
      <Table name={name} heads={['Name', 'Type', 'Meaning']}>
        {fields.map((field) => (
          <tr>
            <th scope="row">
              <code>{field.name}</code>
              {field.isRequired ? <span class="quiet-text"> required</span> : null}
            </th>
            <td class="whole">{field.type}</td>
            <td class="whole">{field.meaning}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
