// SPDX-License-Identifier: Apache-2.0
// The page as a whole: its words, its tabs, the sheet, and what is read again when something happens.
'use strict';

const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', it: 'Italiano',
  pl: 'Polski', pt: 'Português' };
let words = {}, codes = null;

const fill = (text, values) => text.replace(/\{(\w+)\}/g,
  (all, name) => name in values ? values[name] : all);

// A text of the catalogue, with names and seats in it.
const t = (key, values = {}) => fill(words[key] || key, values);

const catalogue = async name => (await fetch(name)).json();

// What the agent says in English has a code: the page's language has the sentence of the code, and
// shows the agent's own behind it.
function coded(kind, code, text) {
  const own = codes && codes[`${kind}.${code}`];
  return own ? `${own} (${text})` : text;
}

// The sentences of codes come when the first one is wanted, and in English never.
async function needCodes(...then) {
  const language = document.documentElement.lang;
  if (codes || language === 'en') return;
  codes = {};
  try { codes = await catalogue('/codes/' + language); } catch {
    // Not drawn again, which would ask again at once.
    codes = null;
    return;
  }
  redraw(...then);
}

async function loadWords() {
  const wanted = (navigator.languages || [navigator.language]).map(one => one.slice(0, 2));
  const language = wanted.find(one => one in languages) || 'en';
  // Each language has every word, as a test of the program holds.
  words = await fetched(() => catalogue('/words/' + language));
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll('[data-word]')) node.textContent = t(node.dataset.word);
}

// What was typed and not sent, by whom it is for: it outlives the page.
const drafts = (() => {
  try { return JSON.parse(localStorage.getItem('seatagent.drafts')) || {}; } catch { return {}; }
})();

function draft(room, text) {
  if (text) drafts[room] = text;
  else delete drafts[room];
  localStorage.setItem('seatagent.drafts', JSON.stringify(drafts));
}

// A script that comes when it is wanted. What did not come is fetched anew the next time.
const scripts = {};
function need(name) {
  scripts[name] = scripts[name] || new Promise((done, fail) => {
    document.head.append(el('script', { src: `/${name}.js`, onload: done, onerror: fail }));
  }).catch(error => {
    scripts[name] = null;
    throw error;
  });
  return scripts[name];
}

// Fetches until it is there: a server with many pages may have no connection left for a moment.
async function fetched(work) {
  for (;;) {
    try { return await work(); } catch {
      if (words.close) tell(t('state.lost'), true);
      await new Promise(next => setTimeout(next, 2000));
    }
  }
}

// The other tabs are fetched behind the first picture.
const tabs = () => fetched(() => need('tabs'));

// Each tab's script puts its drawing here.
const drawings = { cabin: drawCabin };

// What is drawn anew between a press and its release is not clicked: it waits for the click, and no longer than a
// second, since a release can go by unseen.
function redraw(...names) {
  for (const name of names) {
    if (redraw.held) redraw.held.add(name);
    else if (drawings[name]) drawings[name]();
  }
}

function release() {
  const names = redraw.held || [];
  redraw.held = null;
  // Each by itself: one that fails keeps none of the others back.
  for (const name of names) setTimeout(redraw, 0, name);
}

function releaseIn(wait) {
  clearTimeout(release.timer);
  release.timer = setTimeout(release, wait);
}

addEventListener('pointerdown', () => {
  redraw.held = redraw.held || new Set();
  releaseIn(1000);
}, true);
// A touch is told to be a click a moment after the finger has gone.
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => releaseIn(100), true);
addEventListener('click', () => releaseIn(0), true);

// A message that goes away by itself.
function tell(text, isBad = false) {
  const news = document.getElementById('news');
  news.textContent = text;
  news.classList.toggle('bad', isBad);
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { news.textContent = ''; }, isBad ? 12000 : 6000);
}

async function complain(error) {
  if (error && error.code === 'unknown') return tell(t('error.unknown'), true);
  if (error && error.code === 'key') return tell(t('door.scan'), true);
  await needCodes();
  const text = [error && error.what, error && error.why].filter(Boolean).join('; ');
  tell(text ? coded('error', error.code, text) : t('error.other'), true);
}

// Does something once; a button stays off until it is done.
async function doing(button, work) {
  if (button) button.disabled = true;
  try { return await work(); } catch (error) { complain(error); } finally {
    if (button) button.disabled = false;
  }
}

// Whether the sheet still shows, or hides, what it did: an answer that comes later is not for it.
function sheetStays() {
  const turn = ++openSheet.turn;
  return () => openSheet.turn === turn;
}

openSheet.turn = 0;
function openSheet(title, parts, acts = []) {
  openSheet.turn += 1;
  const sheet = document.getElementById('sheet');
  sheet.replaceChildren(el('h2', { id: 'sheet-title' }, title), ...parts,
    el('div', { class: 'row' }, ...acts,
      el('button', { type: 'button', onclick: closeSheet }, t('close'))));
  if (!sheet.open) sheet.showModal();
}

// Whatever closes the sheet, nothing of it is shown any more.
function leaveSheet() {
  openSheet.turn += 1;
  showComparing.isShown = false;
  game.who = null;
}

closeSheet.events = 0;
function closeSheet() {
  const sheet = document.getElementById('sheet');
  if (!sheet.open) return;
  leaveSheet();
  // The event of it comes later: what is opened until then stays.
  closeSheet.events += 1;
  sheet.close();
}

document.getElementById('sheet').addEventListener('close', () => {
  if (closeSheet.events > 0) closeSheet.events -= 1;
  else leaveSheet();
});

// Something that binds: a slide, so that nobody does it by touching a button.
function slide(label, work) {
  const range = el('input', { type: 'range', class: 'slide', min: '0', max: '100', step: '10',
    value: '0', 'aria-label': label });
  range.value = 0;
  const back = () => { if (!range.disabled) range.value = 0; };
  range.addEventListener('pointerup', () => { if (range.value < 100) back(); });
  range.addEventListener('blur', back);
  range.addEventListener('input', () => {
    if (Number(range.value) < 100 || range.disabled) return;
    range.disabled = true;
    doing(null, work).finally(() => { range.disabled = false; back(); });
  });
  return el('label', {}, label, range);
}

function showTab(name) {
  for (const tab of document.querySelectorAll('#tabs button')) {
    const isIt = tab.getAttribute('aria-controls') === name;
    tab.setAttribute('aria-selected', String(isIt));
    tab.tabIndex = isIt ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !isIt;
  }
  // At once: whoever opens it may go on with what is on it.
  if (drawings[name]) drawings[name]();
}

document.getElementById('tabs').addEventListener('click', event => {
  const name = event.target.getAttribute('aria-controls');
  if (name) showTab(name);
});
document.getElementById('tabs').addEventListener('keydown', event => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...document.querySelectorAll('#tabs button')];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  showTab(next.getAttribute('aria-controls'));
});

// Some of them take the place of words that are for flights.
const venueWords = async () =>
  Object.assign(words, await catalogue('/venue/words/' + document.documentElement.lang));

// The page of a venue comes when the agent is in one: a flight does without it.
async function atVenue() {
  atVenue.loads = atVenue.loads || (async () => {
    // Behind the other scripts, since it takes the place of parts of them.
    await tabs();
    await venueWords();
    document.head.append(el('link', { rel: 'stylesheet', href: '/venue/venue.css' }));
    await need('venue/venue');
  })();
  try { await atVenue.loads; } catch (error) {
    // It is fetched again: no event may come that asks for it.
    atVenue.loads = null;
    setTimeout(refresh, 3000, 'status');
    throw error;
  }
  redraw('cabin', 'self');
}

// What is read again, each thing at most once in a moment, however much happens.
const readers = {
  async status() {
    flight.status = await wire.look('status');
    const { practice, designator } = flight.status.flight;
    // Flights have capital letters, and venues none.
    if (!practice && !/[A-Z]/.test(designator)) return atVenue();
    document.getElementById('flight').textContent =
      flight.status.flight.practice ? t('practice') : flight.status.flight.name;
    redraw('cabin', 'self');
  },
  async seats() {
    const said = await wire.look('seats');
    flight.cabin = said.cabin;
    flight.seats = new Map(said.seats.map(entry => [entry.seat, entry]));
    redraw('cabin');
  },
  async peers() {
    const said = await wire.look('peers');
    flight.peers = new Map(said.peers.map(peer => [peer.key, peer]));
    redraw('cabin', 'talk');
  },
  async requests() {
    flight.requests = (await wire.look('requests', { all: true })).requests;
    redraw('cabin', 'requests', 'self');
  },
  async lines() {
    // What is told meanwhile is newer than the answer, which may come behind it.
    addLine.late = [];
    try {
      const said = await wire.look('log', { limit: 300 });
      flight.lines = said.items.filter(isLine);
    } finally {
      const late = addLine.late;
      addLine.late = null;
      late.forEach(addLine);
    }
    redraw('talk');
  },
};

function isLine(item) {
  return item.event === 'chat' || item.event === 'message'
    || item.event === 'party' && item.change === 'said';
}

const timers = {}, reading = {};
function refresh(...names) {
  for (const name of names) {
    timers[name] = timers[name] || setTimeout(() => {
      timers[name] = null;
      read(name);
    }, 150);
  }
}

// One at a time: an answer that was asked for earlier must not come behind a later one.
async function read(name) {
  if (!readers[name]) return;
  if (reading[name]) {
    reading[name] = 'again';
    return;
  }
  reading[name] = 'once';
  try { await readers[name](); } catch { /* read again when the agent is back */ }
  const isWanted = reading[name] === 'again';
  reading[name] = null;
  if (isWanted) refresh(name);
}

function takeEvent(event) {
  if (takeEvent.other) takeEvent.other(event);
  switch (event.event) {
    case 'stream': if (!event.whole) refresh(...Object.keys(readers)); break;
    case 'agent': if (event.taken) wire.hello().then(() => refresh('self'));
      if (event.here) refresh(...Object.keys(readers)); break;
    case 'chat': case 'message': addLine(event);
      if (event.event === 'message' && event.text.startsWith('four in a row ')) {
        tabs().then(() => takeMove(event));
      }
      break;
    case 'party': if (event.change === 'said') addLine(event);
      refresh('peers', 'seats', 'self'); break;
    case 'request': tell(t('request.came', { name: flight.name(event.by) }));
      refresh('requests', 'status'); break;
    case 'swap': refresh('requests', 'status', 'seats', 'self'); break;
    case 'verify': tabs().then(() => takeComparing(event)); break;
    case 'seated': refresh('requests'); break;
    case 'offer': case 'peer': refresh('peers', 'seats', 'status', 'self');
      // On whose laptop somebody is can be said behind their name, without an event.
      if (event.change === 'aboard') setTimeout(refresh, 1500, 'peers');
      break;
    case 'seat': case 'cabin': refresh('seats', 'status'); break;
    default: refresh('status');
  }
}

// A line of the chat or a message; a message comes again when its state changes.
function addLine(line) {
  if (addLine.late) addLine.late.push(line);
  const at = flight.lines.findIndex(one => one.id === line.id && one.event === line.event);
  if (at >= 0) flight.lines[at] = line;
  else flight.lines.push(line);
  if (flight.lines.length > 600) flight.lines.splice(0, 100);
  redraw('talk');
}

function showState(state) {
  const word = { lost: 'state.lost', away: 'state.away', here: 'state.here', shut: 'door.scan',
    gone: 'state.gone' }[state];
  const place = document.getElementById('state');
  if (place.dataset.state !== state) {
    place.dataset.state = state;
    place.textContent = t(word);
  }
}

async function start() {
  const door = wire.open();
  await loadWords();
  drawLegend();
  // What was read before they came is drawn once they are there.
  tabs().then(() => redraw('talk', 'requests', 'self'));
  const section = document.getElementById('map');
  if (door.known) wire.states(showState);
  const isKnown = door.known && await wire.hello().then(() => true, () => false);
  if (!isKnown) {
    // An address that was typed has no key in it: the server says one.
    if (!await compareWords(section, door.offered)) return;
    wire.states(showState);
  }
  if (door.entry && !wire.right()) {
    try { await wire.enter(door.entry); } catch (error) { complain(error); }
  }
  if (!wire.right() && !wire.joins()) {
    section.replaceChildren(el('p', {}, t('door.nobody')));
    return;
  }
  if (!wire.right()) {
    if (wire.venue()) await fetched(venueWords);
    await comeIn(section, door.flight);
  }
  showTab('cabin');
  wire.resume((question, error) => {
    const room = { say: 'all', 'party-say': 'party', msg: question.who }[question.op];
    if (!error) {
      if (room && drafts[room] === question.text) draft(room, '');
    } else if (room && error.code === 'unknown') {
      // Nobody knows whether it was said: it is there to be sent again.
      draft(room, question.text);
      tell(t('error.text', { text: question.text }), true);
    } else {
      if (room) draft(room, question.text);
      complain(error);
    }
    redraw('talk');
    refresh('requests');
  });
  wire.listen(takeEvent);
}

// Another address in the same tab differs only behind the #, which loads nothing by itself.
addEventListener('hashchange', () => {
  if (/[#&]o=|[#&]k=/.test(location.hash)) location.reload();
});

start().catch(error => { document.getElementById('news').textContent = String(error); });
