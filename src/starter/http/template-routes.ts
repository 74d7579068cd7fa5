import type { Context, Hono } from 'hono';
import { TemplateState, isDecided, type TemplateKey } from '../../contract/index.js';
import { validateTemplate } from '../../domain/index.js';
import { setTemplateReviewSchema, validateTemplateSchema } from '../../contract/schemas.js';
import type { FindId } from '../find-id.js';
import { readInput } from '../read-input.js';
import { bellOf, type Templates } from '../templates/templates.js';
import { ENDPOINTS } from './endpoints.js';
import { markReplay } from './message-routes.js';
import { readJson, readQuery } from './read-request.js';
import { pathPart, route } from './router.js';
import type { Waiting } from './waiting.js';

export function templateRoutes(
  app: Hono,
  { templates, findId, waiting }: { readonly templates: Templates; readonly findId: FindId; readonly waiting: Waiting },
): void {
  route(app, ENDPOINTS.validateTemplate, async (c) => {
    const { template } = readInput(validateTemplateSchema, await readJson(c), 'The template');
    const { errors, warnings } = validateTemplate(template);
    return c.json({ ok: errors.length === 0, errors, warnings });
  });

  route(app, ENDPOINTS.submitTemplate, async (c) => {
    const { template, warnings, isReplay } = await templates.submit(await readJson(c));
    c.header('Location', `/v1/templates/${template.instance}/${template.elementName}`);
    markReplay(c, isReplay);
    return c.json({ ...template, ...(warnings.length === 0 ? {} : { warnings }) }, isReplay ? 200 : 202);
  });

  route(app, ENDPOINTS.listTemplates, async (c) => {
    const { instance, cursor, limit } = readQuery(c, ENDPOINTS.listTemplates.query);
    const filter = {
      ...(instance === undefined ? {} : { instance }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(limit === undefined ? {} : { limit }),
    };
    return c.json(await templates.list(filter));
  });

  route(app, ENDPOINTS.getTemplate, async (c) => {
    const key = await findId.template(keyIn(c));
    const { wait, timeoutMs } = readQuery(c, ENDPOINTS.getTemplate.query);
    const found = await waiting.until(c, {
      id: bellOf(key),
      reads: 'template',
      read: () => templates.find(key),
      isDone: (template) => {
        if (wait === undefined || isDecided(template)) return true;
        return wait === 'submitted' && template.state === TemplateState.submitted;
      },
      timeoutMs: wait === undefined ? 0 : timeoutMs,
    });
    return c.json(found);
  });

  route(app, ENDPOINTS.setTemplateReview, async (c) => {
    const review = readInput(setTemplateReviewSchema, await readJson(c), 'The decision');
    return c.json(await templates.setReview(keyIn(c), review));
  });
}

function keyIn(c: Context): TemplateKey {
  return { instance: pathPart(c, 'instance'), elementName: pathPart(c, 'elementName') };
}
