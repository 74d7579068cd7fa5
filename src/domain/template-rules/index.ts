export { templateLimits } from './limits.js';
export { validateTemplate } from './validate-template.js';
export { templateParameters, templateVariables } from './texts.js';
