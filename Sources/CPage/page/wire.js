// SPDX-License-Identifier: Apache-2.0
// What the page sends and hears (docs/page.md): every body is sealed to the key from the address.
'use strict';

const wire = (() => {
  const CALL = 1, REPLY = 2, EVENT = 3;
  const encode = new TextEncoder(), decode = new TextDecoder();
  const place = 'seatagent', counter = 'seatagent.number', waiting = 'seatagent.pending';

  const hex = bytes => Array.from(bytes, b => b.toString(16).padStart(2, '0')).join('');
  const unhex = text => Uint8Array.from(text.match(/../g) || [], pair => parseInt(pair, 16));
  const unbase = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')),
    sign => sign.charCodeAt(0));
  const wait = ms => new Promise(done => setTimeout(done, ms));

  const join = (...parts) => {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { whole.set(part, at); at += part.length; }
    return whole;
  };

  const eight = number => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, number);
    return bytes;
  };

  let pair, shared, secretText, before = null, offered = null;
  let session = new Uint8Array(16), right = null, joins = false, last = 0n, isFresh = true, host = '', venue = '', name = '', gift = null,
    taken = false;
  let onState = () => {};

  // Kept in the browser: the page's own pair, and the key of the server that answered last.
  function kept() {
    try { return JSON.parse(localStorage.getItem(place)) || {}; } catch { return {}; }
  }

  function open() {
    const said = new URLSearchParams(location.hash.slice(1));
    const key = said.get('k'), mine = kept();
    pair = mine.secret ? nacl.box.keyPair.fromSecretKey(unhex(mine.secret)) : nacl.box.keyPair();
    secretText = hex(pair.secretKey);
    before = /^[0-9a-f]{64}$/.test(mine.server || '') ? mine.server : null;
    try { offered = key ? hex(unbase(key)) : null; } catch { offered = null; }
    if (offered && offered.length !== 64) offered = null;
    const entry = said.get('o');
    // It works once, and nobody should see it in the address.
    if (entry) history.replaceState(null, '', location.pathname + '#k=' + key);
    if (!offered && !before) return { known: false };
    use(offered || before);
    return { known: true, entry, offered, flight: said.get('f') };
  }

  // The key that the server says, with six words of it: nothing is kept before people compared them.
  async function typed() {
    const said = await fetch('/key', { cache: 'no-store' });
    const key = said.ok ? await said.text() : '';
    if (!/^[0-9a-f]{64}$/.test(key)) return null;
    const list = (await (await fetch('/codewords')).text()).split('\n');
    const digest = nacl.hash(join(encode.encode('seatagent words'), unhex(key)));
    const bits = new DataView(digest.buffer).getBigUint64(0);
    offered = key;
    use(key);
    await hello();
    return [54n, 44n, 34n, 24n, 14n, 4n].map(shift => list[Number(bits >> shift & 1023n)]);
  }

  function use(key) { shared = nacl.box.before(unhex(key), pair.secretKey); }

  // A key counts once its server has answered: any page of the web could link here with another.
  async function greet() {
    try {
      await patiently(hello);
    } catch (error) {
      if (!(error instanceof Shut) || !before || before === offered) throw error;
      offered = before;
      use(before);
      await patiently(hello);
    }
    localStorage.setItem(place, JSON.stringify({ secret: secretText, server: offered || before }));
  }

  // Counts up for all tabs of this browser.
  function nextNumber(above = 0n) {
    let number = BigInt(localStorage.getItem(counter) || '0');
    if (above > number) number = above;
    number += 1n;
    localStorage.setItem(counter, String(number));
    return number;
  }

  function seal(number, id, ask) {
    const nonce = nacl.randomBytes(24);
    const of = number === 0n ? new Uint8Array(16) : session;
    const plain = join([CALL], of, eight(number), id, encode.encode(JSON.stringify(ask)));
    return join(pair.publicKey, nonce, nacl.box.after(plain, nonce, shared));
  }

  function unseal(bytes) {
    return nacl.box.open.after(bytes.subarray(24), bytes.subarray(0, 24), shared);
  }

  const same = (left, right) => left.length === right.length && left.every((b, i) => b === right[i]);

  // Nothing was done: it may be sent again.
  class Again extends Error {}
  // The server has another key than this page knows.
  class Shut extends Error { code = 'key'; }
  // The page is nobody's.
  class Nobody extends Error {}

  async function post(path, body, signal) {
    const said = await fetch(path, { method: 'POST', body, signal, cache: 'no-store',
      headers: { 'Content-Type': 'application/octet-stream' } });
    if (said.status === 429 || said.status === 503) throw new Again('rate');
    if (said.status === 400) throw new Shut('key');
    if (said.status === 403) throw new Nobody('nobody');
    if (!said.ok) throw new Error('status ' + said.status);
    return said;
  }

  async function ask(number, id, question) {
    const said = await post('/call', seal(number, id, question), AbortSignal.timeout(60000));
    const plain = unseal(new Uint8Array(await said.arrayBuffer()));
    if (!plain || plain[0] !== REPLY || !same(plain.subarray(1, 17), id)) throw new Error('reply');
    return JSON.parse(decode.decode(plain.subarray(17)));
  }

  async function hello() {
    const said = await ask(0n, nacl.randomBytes(16), { op: 'hello' });
    // Another start of the server counts its events anew.
    if (hex(session) !== said.session) isFresh = true;
    session = unhex(said.session);
    right = said.right || null;
    joins = Boolean(said.joins);
    host = said.host || '';
    venue = said.venue || '';
    name = said.name || '';
    gift = said.get || null;
    taken = Boolean(said.taken);
    nextNumber(BigInt(said.highest));
    return right;
  }

  const started = () => session.some(b => b !== 0);

  // A question that changes something is kept until it is answered: a page that is closed in
  // between asks it again when it is opened, with the same id, so it is done once.
  const pending = () => {
    try { return JSON.parse(localStorage.getItem(waiting)) || {}; } catch { return {}; }
  };
  function keep(id, question, of) {
    const all = pending();
    all[hex(id)] = { question, session: of };
    localStorage.setItem(waiting, JSON.stringify(all));
  }
  function drop(id) {
    const all = pending();
    delete all[hex(id)];
    localStorage.setItem(waiting, JSON.stringify(all));
  }

  // `doubt` is the start of the server that may have done it, although no answer came.
  async function call(question, { changes = false, id = nacl.randomBytes(16), doubt = null } = {}) {
    if (!started()) await patiently(hello);
    try {
      for (let tries = 0; ; tries++) {
        const of = hex(session);
        // It may have been done by a server that has ended since: nobody can say.
        if (changes && doubt && doubt !== of) throw { code: 'unknown' };
        if (changes) keep(id, question, doubt || of);
        let said;
        try {
          said = await ask(nextNumber(), id, question);
        } catch (error) {
          if (error instanceof Shut) throw error;
          if (!(error instanceof Again)) {
            doubt = doubt || of;
            onState('lost');
          }
          await wait(Math.min(4000, 250 * 2 ** Math.min(tries, 5)));
          continue;
        }
        if (said.again === 'later') {
          doubt = doubt || of;
          await wait(300);
        } else if (said.again) {
          await patiently(hello);
        } else if (said.ok) {
          return said.result;
        } else {
          // The agent has gone with the question: nobody can say either.
          throw changes && said.error.code === 'unreachable' ? { code: 'unknown' } : said.error;
        }
      }
    } finally {
      if (changes) drop(id);
    }
  }

  async function patiently(work) {
    for (let tries = 0; ; tries++) {
      try { return await work(); } catch (error) {
        if (error instanceof Shut) throw error;
        onState('lost');
        await wait(Math.min(4000, 250 * 2 ** Math.min(tries, 5)));
      }
    }
  }

  // What was asked when the page was closed: asked again of the same start of the server, and told
  // of in either case.
  function resume(onDone) {
    for (const [id, { question, session: of }] of Object.entries(pending())) {
      call(question, { changes: true, id: unhex(id), doubt: of })
        .then(() => onDone(question, null), error => onDone(question, error));
    }
  }

  // Waits until somebody sees the page.
  const seen = () => document.hidden ? new Promise(done => {
    document.addEventListener('visibilitychange', done, { once: true });
  }).then(seen) : null;

  // Hears what happens, and goes on behind the last event after each loss.
  async function listen(onEvent) {
    for (let tries = 0; ; tries++) {
      await seen();
      const stop = new AbortController();
      let heard = Date.now(), shown = Date.now();
      // The server says something every 15 seconds. A page that nobody sees for half a minute lets
      // go of its connection: a browser has six for all its tabs.
      const watch = setInterval(() => {
        if (!document.hidden) shown = Date.now();
        if (Date.now() - heard > 25000 || Date.now() - shown > 30000) stop.abort();
      }, 1000);
      try {
        if (!started()) await hello();
        const body = seal(nextNumber(), nacl.randomBytes(16), { after: isFresh ? '' : String(last) });
        const said = await post('/events', body, stop.signal);
        if (!/event-stream/.test(said.headers.get('Content-Type'))) {
          await hello();
          throw new Again('session');
        }
        const reader = said.body.getReader();
        let text = '';
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          heard = Date.now();
          text += decode.decode(value, { stream: true });
          const parts = text.split('\n\n');
          text = parts.pop();
          for (const part of parts) {
            if (part.startsWith('data: ')) tries = take(part.slice(6), onEvent) ? 0 : tries;
          }
        }
      } catch (error) {
        if (error instanceof Shut) return onState('shut');
        if (error instanceof Nobody) {
          // Taken out by the host, or gone.
          const said = await patiently(hello).catch(() => null);
          if (!said) return onState('gone');
        }
      } finally {
        clearInterval(watch);
      }
      onState('lost');
      await wait(Math.min(4000, 200 * 2 ** Math.min(tries, 5)));
    }
  }

  function take(text, onEvent) {
    const plain = unseal(unbase(text));
    if (!plain || plain[0] !== EVENT || !same(plain.subarray(1, 17), session)) return false;
    const number = new DataView(plain.buffer, plain.byteOffset + 17, 8).getBigUint64(0);
    const event = JSON.parse(decode.decode(plain.subarray(25)));
    if (number === 0n) {
      // The first line of a stream.
      if (!event.whole) last = BigInt(event.last);
      isFresh = false;
      onState(event.here ? 'here' : 'away');
      onEvent(event);
    } else if (number > last) {
      last = number;
      if (event.event === 'agent') onState(event.here ? 'here' : 'away');
      onEvent(event);
    }
    return true;
  }

  return {
    open, typed, hello: greet, call, listen, resume,
    // Asks what changes nothing, and what does.
    look: (op, more) => call({ op, ...more }),
    act: (op, more) => call({ op, ...more }, { changes: true }),
    enter: async entry => {
      const said = await call({ op: 'enter', key: hex(unbase(entry)) }, { changes: true });
      right = said.right;
    },
    right: () => right,
    // Whether the server takes guests in.
    joins: () => joins,
    // Whose laptop it is.
    host: () => host,
    // What the venue is called that guests come into; nothing on a flight.
    venue: () => venue,
    // What the guest is called; nothing for the user.
    name: () => name,
    // What it gives to laptops: name, size, sha256.
    gift: () => gift,
    // Whether the key was taken along from there.
    taken: () => taken,
    states: then => { onState = then; },
  };
})();
