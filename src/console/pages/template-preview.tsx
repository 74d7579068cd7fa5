import type { Child } from 'hono/jsx';

/** A template as a phone shows it. What a message fills in is marked. */
export function TemplatePreview({ definition }: { definition: Readonly<Record<string, unknown>> }) {
  const text = (name: string) => (typeof definition[name] === 'string' ? definition[name] : undefined);
  const [header, content, footer] = [text('header'), text('content'), text('footer')];
  const { templateType } = definition;
  const isMedia = typeof templateType === 'string' && templateType !== 'TEXT';
  const { buttons: given } = definition;
  const buttons = Array.isArray(given) ? (given as readonly { readonly text?: unknown }[]) : [];
  return (
    <div class="phone">
      <div class="bubble">
        {isMedia ? <p class="media">{templateType.toLowerCase()}</p> : null}
        {header === undefined ? null : (
          <p class="head">
            <Marked text={header} />
          </p>
        )}
        <p class="body">
          <Marked text={content ?? ''} />
        </p>
        {footer === undefined ? null : <p class="foot">{footer}</p>}
      </div>
      {buttons.length === 0 ? null : (
        <ul class="taps" aria-label="Buttons of the message">
          {buttons.map(({ text: label }) => (
            <li>{typeof label === 'string' ? label : ''}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Marked({ text }: { text: string }): Child {
  const parts = text.split(/(\{\{\s*\w+\s*\}\})/);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark>{part}</mark> : part))}</>;
}
