import { isDecided, type TemplateReview, type TemplateFinding } from '../contract/index.js';
import type { TemplateListItem, TemplateView } from '../ledger/index.js';
import type { ApiRequests } from './api-requests.js';
import { askUntil } from './ask-until.js';

export type TemplateResponse = TemplateView & { readonly warnings?: readonly TemplateFinding[] };

export interface TemplateWait {
  readonly state: 'submitted' | 'decided';
  readonly timeoutMs: number;
}

/** What commands ask of the API about templates. */
export interface TemplateCalls {
  submitTemplate(instance: string, template: unknown): Promise<TemplateResponse>;
  /** @returns as soon as it got so far, or when the time is up */
  template(instance: string, elementName: string, wait?: TemplateWait): Promise<TemplateResponse>;
  setTemplateReview(instance: string, elementName: string, review: TemplateReview): Promise<TemplateResponse>;
  templates(filter: Readonly<Record<string, string>>): Promise<{ items: TemplateListItem[]; cursor?: string }>;
}

export function templateCalls({ ask }: Pick<ApiRequests, 'ask'>): TemplateCalls {
  const pathOf = (instance: string, elementName: string) =>
    `/v1/templates/${encodeURIComponent(instance)}/${encodeURIComponent(elementName)}`;
  return {
    submitTemplate: (instance, template) => ask('POST', '/v1/templates', { body: { instance, template } }),

    templates: (filter) => ask('GET', '/v1/templates', { query: filter }),

    async template(instance, elementName, wait) {
      const path = pathOf(instance, elementName);
      if (wait === undefined) return ask('GET', path);
      return askUntil<TemplateResponse>(
        wait.timeoutMs,
        (found) => hasComeTo(found, wait.state),
        (timeoutMs) => ask('GET', path, { query: { wait: wait.state, timeoutMs: String(timeoutMs) } }),
      );
    },

    setTemplateReview: (instance, elementName, review) =>
      ask('POST', `${pathOf(instance, elementName)}/review`, { body: review }),
  };
}

function hasComeTo(template: TemplateResponse, wanted: TemplateWait['state']): boolean {
  return isDecided(template) || (wanted === 'submitted' && template.state === 'submitted');
}
