// Improves pages that work without it: the browser's timezone, parts that change by themselves, and forms that survive
// a server that does not respond.

const TIMEZONE_COOKIE = 'everpost_timezone';
const POLL_MS = 10_000;

sayTimezone();
for (const part of document.querySelectorAll('[data-live]')) follow(part);
for (const part of document.querySelectorAll('[data-later]')) void load(part);
for (const form of document.querySelectorAll('form[data-check]')) checkFile(/** @type {HTMLFormElement} */ (form));
document.addEventListener('submit', keepTyped);

/** Times are in UTC until the server knows the timezone. */
function sayTimezone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (cookie() === timeZone) return;
  document.cookie = `${TIMEZONE_COOKIE}=${timeZone}; path=/; max-age=31536000; samesite=strict`;
  // A browser that keeps no cookies is not reloaded again and again, and no response to a form is.
  const isResponse = document.querySelector('[role="alert"]') !== null;
  const hasTimes = document.querySelector('time, input[type="datetime-local"]') !== null;
  if (cookie() === timeZone && !isResponse && hasTimes) location.reload();
}

/** @returns {string | undefined} */
function cookie() {
  return document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${TIMEZONE_COOKIE}=`))
    ?.slice(TIMEZONE_COOKIE.length + 1);
}

/**
 * The server sends the part again when it has changed. A hidden page closes its stream and asks nothing.
 * @param {Element} part
 */
function follow(part) {
  /** @type {EventSource | undefined} */
  let stream;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const url = new URL(location.href);
  url.searchParams.set('live', '1');
  url.hash = '';

  function stop() {
    stream?.close();
    clearInterval(timer);
    [stream, timer] = [undefined, undefined];
  }

  function start() {
    stop();
    if (document.hidden) return;
    stream = new EventSource(url);
    stream.addEventListener('message', ({ data }) => show(part, data));
    stream.addEventListener('error', () => {
      // A proxy that passes no streams on: the page asks instead.
      if (stream?.readyState !== EventSource.CLOSED) return;
      stop();
      timer = setInterval(() => void poll(), POLL_MS);
    });
  }

  async function poll() {
    try {
      const response = await fetch(url);
      if (response.ok && !response.redirected) show(part, await response.text());
    } catch {
      // The server does not respond now. The next poll asks again.
    }
  }

  document.addEventListener('visibilitychange', start);
  addEventListener('pagehide', stop);
  start();
}

/**
 * Loads a part that takes longer than its page. If that fails, its link stays.
 * @param {Element} part
 */
async function load(part) {
  part.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(part.getAttribute('data-later') ?? '');
    if (response.ok && !response.redirected) show(part, await response.text());
  } catch {
    // The link opens the part as a page, which says what failed.
  }
  part.removeAttribute('aria-busy');
}

/**
 * @param {Element} part
 * @param {string} html
 */
function show(part, html) {
  const { activeElement } = document;
  if (part.contains(activeElement) && activeElement?.closest('form') instanceof HTMLFormElement) {
    // A reader who is in a form of the part is not interrupted.
    activeElement.addEventListener('focusout', () => show(part, html), { once: true });
    return;
  }
  const next = document.createElement('template');
  next.innerHTML = html;
  part.replaceChildren(next.content);
}

/**
 * Without a server the browser would show its own error page in place of what was typed.
 * @param {SubmitEvent} event
 */
function keepTyped(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  event.preventDefault();
  const button = event.submitter;
  if (button instanceof HTMLButtonElement) button.disabled = true;
  void reachable().then((isReachable) => {
    if (button instanceof HTMLButtonElement) button.disabled = false;
    if (!isReachable) return complain(form);
    if (button instanceof HTMLButtonElement && button.hasAttribute('formaction')) form.action = button.formAction;
    // Not the event again: the form is sent at once.
    form.submit();
  });
}

async function reachable() {
  try {
    const { ok } = await fetch('/livez', { cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
}

/** @param {HTMLFormElement} form */
function complain(form) {
  form.querySelector('.unreachable')?.remove();
  const notice = document.createElement('p');
  notice.className = 'notice bad unreachable';
  notice.setAttribute('role', 'alert');
  notice.textContent =
    'everpost does not respond. Nothing was sent, and what you typed is kept here: send the form again in a moment.';
  form.prepend(notice);
}

/**
 * Shows what is in a file as soon as it is chosen or dropped, and again with every choice beside it. The file stays in
 * the form until that is sent.
 * @param {HTMLFormElement} form
 */
function checkFile(form) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input[type="file"]'));
  const shown = /** @type {HTMLElement} */ (form.querySelector('[data-checked]'));
  for (const one of form.querySelectorAll('[data-without-script]')) /** @type {HTMLElement} */ (one).hidden = true;
  let newest = new AbortController();

  async function check() {
    newest.abort();
    newest = new AbortController();
    if (input.files?.length !== 1) return shown.replaceChildren();
    const { signal } = newest;
    shown.setAttribute('aria-busy', 'true');
    try {
      const body = new FormData(form);
      const response = await fetch(`${form.dataset['check']}?part=1`, { method: 'POST', body, signal });
      const text = await response.text();
      if (signal.aborted) return;
      const page = new DOMParser().parseFromString(text, 'text/html');
      const chosen = document.activeElement?.id ?? '';
      shown.replaceChildren(...(page.querySelector('main') ?? page.body).childNodes);
      if (chosen !== '') document.getElementById(chosen)?.focus();
      shown.removeAttribute('aria-busy');
    } catch {
      if (signal.aborted) return;
      shown.removeAttribute('aria-busy');
      complain(form);
    }
  }

  // A choice of another file has nothing to do with the columns of the one before.
  input.addEventListener('change', () => shown.replaceChildren());
  form.addEventListener('change', () => void check());
  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('dragged');
  });
  for (const type of ['dragleave', 'drop']) form.addEventListener(type, () => form.classList.remove('dragged'));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer === null) return;
    input.files = event.dataTransfer.files;
    shown.replaceChildren();
    void check();
  });
}
