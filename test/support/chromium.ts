import { chromium, type Browser } from 'playwright-core';
import { findOnPath } from '../../src/tools/local-temporal/download-binary.js';

const [found] = await findOnPath('chromium', process.env['PATH'] ?? '');
const executablePath = process.env['CHROMIUM_PATH'] ?? found;

/** Why there is no Chromium; undefined if there is one. With TEST_CHROMIUM=required, as in CI, its tests fail instead. */
export const missingChromium =
  executablePath === undefined && process.env['TEST_CHROMIUM'] !== 'required'
    ? 'Chromium is not installed: apt-get install chromium'
    : undefined;

/** A headless Chromium. Its caller closes it. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? 'chromium', args: ['--no-sandbox'] });
}
