// A headless Chromium, driven by its DevTools protocol: Debian's package `chromium`, or CHROMIUM_PATH.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'undici';

const PAGE_WITHIN_MS = 30_000;
/** After the text has come, the page still draws. */
const DRAWN_AFTER_MS = 1_500;

/**
 * @typedef {object} View
 * @property {string} url
 * @property {string} shows      the picture is taken once the page contains this text
 * @property {number} width
 * @property {number} height
 * @property {string} [click]    a selector that is clicked before
 */

/**
 * @param {Record<string, string>} stored  what the pages find in their local storage
 * @returns {Promise<{ picture: (view: View) => Promise<Buffer>, close: () => Promise<void> }>}
 */
export async function openBrowser(stored) {
  const dir = await mkdtemp(path.join(tmpdir(), 'everpost-browser-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-port=0'];
  const program = spawn(process.env['CHROMIUM_PATH'] ?? 'chromium', [...flags, `--user-data-dir=${dir}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(program, 'exit');
  const url = await listeningAt(program.stderr);
  const { call, close } = await connect(url);
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  /** @param {string} method @param {object} [params] */
  const ofPage = (method, params) => call(method, params, sessionId);
  await ofPage('Page.enable');
  const source = `for (const [key, value] of Object.entries(${JSON.stringify(stored)})) localStorage.setItem(key, value)`;
  await ofPage('Page.addScriptToEvaluateOnNewDocument', { source });

  /** @param {string} expression @param {string} what */
  async function until(expression, what) {
    const deadlineMs = Date.now() + PAGE_WITHIN_MS;
    for (;;) {
      const { result } = await ofPage('Runtime.evaluate', { expression });
      if (result?.value === true) return;
      if (Date.now() > deadlineMs) throw new Error(`The page does not show ${what}.`);
      await delay(100);
    }
  }

  return {
    async picture({ url: page, shows, width, height, click }) {
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await ofPage('Emulation.setDeviceMetricsOverride', metrics);
      await ofPage('Page.navigate', { url: page });
      if (click !== undefined) {
        const element = `document.querySelector(${JSON.stringify(click)})`;
        await until(`${element} !== null && (${element}.click(), true)`, click);
      }
      await until(`document.body?.innerText.includes(${JSON.stringify(shows)}) === true`, `“${shows}”, ${page}`);
      await delay(DRAWN_AFTER_MS);
      const { data } = await ofPage('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data, 'base64');
    },
    async close() {
      close();
      program.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @param {import('node:stream').Readable} errors */
async function listeningAt(errors) {
  for await (const line of createInterface(errors)) {
    const [, url] = /^DevTools listening on (ws:\S{1,200})$/.exec(line) ?? [];
    if (url !== undefined) {
      errors.resume();
      return url;
    }
  }
  throw new Error('Chromium ended before it listened. Install it: apt-get install chromium');
}

/** @param {string} url */
async function connect(url) {
  const socket = new WebSocket(url);
  await once(/** @type {any} */ (socket), 'open');
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) caller?.resolve(result);
    else caller?.reject(new Error(error.message));
  });
  let calls = 0;
  /**
   * @param {string} method
   * @param {object} [params]
   * @param {string} [sessionId]
   * @returns {Promise<any>}
   */
  const call = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = (calls += 1);
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  return { call, close: () => socket.close() };
}
