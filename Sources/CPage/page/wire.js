// SPDX-License-Identifier: Apache-2.0
// What the page sends and hears (docs/page.md): every body is sealed to the key from the address.
'use strict';

const wire = (() => {
  const CALL = 1, REPLY = 2, EVENT = 3;
  const encode = new TextEncoder(), decode = new TextDecoder();
  const place = 'seatagent', counter = 'seatagent.number', pending = 'seatagent.pending';

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

  let pair, server, shared;
  let session = new Uint8Array(16), right = null, last = 0n, isFresh = true;
  let onState = () => {};

  // Kept in the browser: the page's own pair, and the server's key.
  function open() {
    const said = new URLSearchParams(location.hash.slice(1));
    let kept = {};
    try { kept = JSON.parse(localStorage.getItem(place)) || {}; } catch { kept = {}; }
    const key = said.get('k');
    try { if (key) kept.server = hex(unbase(key)); } catch { /* not a key */ }
    if (!kept.server || kept.server.length !== 64) return { known: false };
    pair = kept.secret ? nacl.box.keyPair.fromSecretKey(unhex(kept.secret)) : nacl.box.keyPair();
    kept.secret = hex(pair.secretKey);
    localStorage.setItem(place, JSON.stringify(kept));
    server = unhex(kept.server);
    shared = nacl.box.before(server, pair.secretKey);
    const entry = said.get('o');
    // It works once, and nobody should see it in the address.
    if (entry) history.replaceState(null, '', location.pathname + '#k=' + key);
    return { known: true, entry };
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

  class Again extends Error {}

  async function post(path, body, signal) {
    const said = await fetch(path, { method: 'POST', body, signal, cache: 'no-store',
      headers: { 'Content-Type': 'application/octet-stream' } });
    if (said.status === 429 || said.status === 503) throw new Again('rate');
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
    nextNumber(BigInt(said.highest));
    return right;
  }

  const started = () => session.some(b => b !== 0);

  // A question that changes something is kept until it is answered: a page that is closed in
  // between asks it again when it is opened, with the same id, so it is done once.
  function keep(id, question) {
    const all = kept();
    all[hex(id)] = { question, session: hex(session) };
    localStorage.setItem(pending, JSON.stringify(all));
  }
  function drop(id) {
    const all = kept();
    delete all[hex(id)];
    localStorage.setItem(pending, JSON.stringify(all));
  }
  function kept() {
    try { return JSON.parse(localStorage.getItem(pending)) || {}; } catch { return {}; }
  }

  async function call(question, { changes = false, id = nacl.randomBytes(16) } = {}) {
    if (!started()) await patiently(hello);
    let sent = null;
    try {
      for (let tries = 0; ; tries++) {
        // It may have been done by a server that has ended since: nobody can say.
        if (changes && sent && sent !== hex(session)) throw { code: 'unknown' };
        let said;
        try {
          sent = hex(session);
          if (changes) keep(id, question);
          said = await ask(nextNumber(), id, question);
        } catch (error) {
          if (!(error instanceof Again)) onState('lost');
          await wait(Math.min(4000, 250 * 2 ** Math.min(tries, 5)));
          continue;
        }
        if (said.again) sent = null;
        if (said.again === 'session') await patiently(hello);
        else if (said.again === 'number') await patiently(hello);
        else if (said.again) await wait(300);
        else if (said.ok) return said.result;
        else throw said.error;
      }
    } finally {
      if (changes) drop(id);
    }
  }

  async function patiently(work) {
    for (let tries = 0; ; tries++) {
      try { return await work(); } catch (error) {
        onState('lost');
        await wait(Math.min(4000, 250 * 2 ** Math.min(tries, 5)));
      }
    }
  }

  // What was asked when the page was closed: asked again of the same start of the server, else told.
  async function resume() {
    const lost = [];
    for (const [id, item] of Object.entries(kept())) {
      if (item.session === hex(session)) {
        call(item.question, { changes: true, id: unhex(id) }).catch(() => {});
      } else {
        lost.push(item.question);
        drop(unhex(id));
      }
    }
    return lost;
  }

  // Hears what happens, and goes on behind the last event after each loss.
  async function listen(onEvent) {
    for (let tries = 0; ; tries++) {
      const stop = new AbortController();
      let heard = Date.now();
      // The server says something every 15 seconds.
      const watch = setInterval(() => {
        if (Date.now() - heard > (document.hidden ? 60000 : 25000)) stop.abort();
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
      } catch { /* tried again below */ } finally {
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
    open, hello: () => patiently(hello), call, listen, resume,
    // Asks what changes nothing, and what does.
    look: (op, more) => call({ op, ...more }),
    act: (op, more) => call({ op, ...more }, { changes: true }),
    enter: async entry => {
      const said = await call({ op: 'enter', key: hex(unbase(entry)) }, { changes: true });
      right = said.right;
    },
    right: () => right,
    states: then => { onState = then; },
  };
})();
