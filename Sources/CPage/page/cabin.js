// SPDX-License-Identifier: Apache-2.0
// The tab Cabin: the seats as the layout has them, and who is in them.
'use strict';

const marks = { empty: '·', aboard: 'o', away: 'z', offers: 'S', wants: 'W', asks: '!',
  disputed: '?', me: '@' };

// An element: words of others come in as text alone.
function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.filter(child => child != null));
  return node;
}

// What is known of the flight.
const flight = {
  status: null, seats: new Map(), cabin: null, peers: new Map(), requests: [], lines: [],

  // A passenger's name, with the tag where the name alone does not say who it is.
  name(who) {
    if (!who) return '';
    if (who.me) return t('you');
    const name = who.name || who.tag;
    return who.ambiguous || who.confusable || who.alarming || who.reserved ? `${name} ${who.tag}` : name;
  },

  mine() { return this.status ? this.status.me.seats : []; },

  // The mark of each seat, by the same rules as the view of the laptop.
  mark(seat) {
    const entry = this.seats.get(seat);
    if (!entry || !entry.holders.length) return 'empty';
    if (entry.state === 'disputed') return 'disputed';
    const holder = entry.holders[0];
    if (entry.holders.some(one => one.me)) return 'me';
    if (this.requests.some(one => one.needs_answer && one.with.some(who => who.key === holder.key))) {
      return 'asks';
    }
    const peer = this.peers.get(holder.key);
    if (peer && peer.away) return 'away';
    const offer = peer && peer.offer;
    if (offer && offer.seats.includes(seat)) return this.wantsMine(offer) ? 'wants' : 'offers';
    return 'aboard';
  },

  wantsMine(offer) {
    return offer.wants.some(want => this.mine().some(seat => {
      const column = layoutOf(this.cabin, seat);
      if (want === 'window') return column.window;
      if (want === 'aisle') return column.aisle;
      return want.split(',').some(block => blockHas(block, seat));
    }));
  },
};

const rowOf = seat => parseInt(seat, 10);
const letterOf = seat => seat.slice(-1);

// Whether a block such as `1-10AF` or `12A` has the seat.
function blockHas(block, seat) {
  const parts = /^(\d+)(?:-(\d+))?([A-Z]*)$/.exec(block.trim());
  if (!parts) return false;
  const first = Number(parts[1]), last = Number(parts[2] || parts[1]);
  return rowOf(seat) >= first && rowOf(seat) <= last
    && (!parts[3] || parts[3].includes(letterOf(seat)));
}

// The rows of a layout from the nose on: number and blocks of letters.
function rowsOf(cabin) {
  const rows = [];
  for (const part of cabin ? cabin.cabins : []) {
    for (const item of part.rows) {
      const [first, last] = String(item).split('-').map(Number);
      for (let row = first; row <= (last || first); row++) {
        rows.push({ row, blocks: (part.except || {})[row] || part.blocks });
      }
    }
  }
  return rows;
}

function layoutOf(cabin, seat) {
  const row = rowsOf(cabin).find(one => one.row === rowOf(seat));
  const blocks = row ? row.blocks.filter(block => block) : [];
  const at = blocks.findIndex(block => block.includes(letterOf(seat)));
  if (at < 0) return { window: false, aisle: false };
  const block = blocks[at], letter = letterOf(seat);
  const isFirst = block[0] === letter, isLast = block[block.length - 1] === letter;
  return {
    window: at === 0 && isFirst || at === blocks.length - 1 && isLast,
    aisle: at > 0 && isFirst || at < blocks.length - 1 && isLast,
  };
}

function drawCabin() {
  const map = document.getElementById('map');
  const rows = rowsOf(flight.cabin);
  const taken = new Set(rows.flatMap(one => one.blocks.flatMap(b => [...b].map(l => one.row + l))));
  // Somebody may sit where the layout has no seat.
  for (const seat of flight.seats.keys()) {
    if (!taken.has(seat)) rows.push({ row: rowOf(seat), blocks: [letterOf(seat)] });
  }
  rows.sort((left, right) => left.row - right.row);
  const before = document.activeElement && document.activeElement.dataset.seat;
  const blocks = rows.reduce((most, one) =>
    one.blocks.join('').length > most.join('').length ? one.blocks : most, []);
  const lines = [el('div', { role: 'row' }, el('span', { role: 'columnheader', class: 'corner' }, t('cabin.row')),
    ...withAisles(blocks, letter => el('span', { role: 'columnheader' }, letter)))];
  const home = drawCabin.at || flight.mine()[0] || rows.length && rows[0].row + rows[0].blocks.join('')[0];
  for (const { row, blocks: own } of rows) {
    lines.push(el('div', { role: 'row' },
      el('span', { role: 'rowheader' }, String(row)),
      ...withAisles(own.length === blocks.length ? padded(own, blocks) : own,
        letter => letter === ' ' ? el('span', { role: 'gridcell' }) : drawSeat(row + letter, home))));
  }
  map.replaceChildren(el('div', { role: 'grid', 'aria-label': t('cabin.grid') }, ...lines));
  if (before) focusSeat(before);
  drawLegend();
}

// Rows that lack seats keep the columns of the others.
function padded(own, blocks) {
  return own.map((block, at) => {
    if (block.length === blocks[at].length) return [...block];
    return [...blocks[at]].map(letter => block.includes(letter) ? letter : ' ');
  });
}

function withAisles(blocks, draw) {
  return blocks.flatMap((block, at) => [
    ...(at > 0 ? [el('span', { class: 'aisle', 'aria-hidden': 'true' })] : []),
    ...[...block].map(draw),
  ]);
}

function drawSeat(seat, home) {
  const mark = flight.mark(seat);
  const entry = flight.seats.get(seat);
  const who = entry ? entry.holders.map(one => flight.name(one)).join(', ') : '';
  const words = [seat, mark === 'me' ? '' : who, t('mark.' + mark)].filter(Boolean).join(', ');
  return el('button', { type: 'button', role: 'gridcell', class: mark, 'data-seat': seat,
    tabindex: seat === home ? '0' : '-1', 'aria-label': words,
    onclick: () => { drawCabin.at = seat; tabs().then(() => showSeat(seat)); } }, marks[mark]);
}

function drawLegend() {
  document.getElementById('legend').replaceChildren(...Object.keys(marks).map(mark =>
    el('li', {}, el('b', { class: mark, 'aria-hidden': 'true' }, marks[mark]), t('mark.' + mark))));
}

function focusSeat(seat) {
  const cell = document.querySelector(`[data-seat="${CSS.escape(seat)}"]`);
  if (!cell) return;
  for (const other of document.querySelectorAll('[data-seat][tabindex="0"]')) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
  drawCabin.at = seat;
}

// The arrows move in the map, as in a grid of the ARIA practices.
document.getElementById('map').addEventListener('keydown', event => {
  const seat = event.target.dataset && event.target.dataset.seat;
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  if (!seat || !steps[event.key]) return;
  const lines = [...document.querySelectorAll('#map [role=row]')]
    .map(line => [...line.querySelectorAll('[role=gridcell]')]).filter(line => line.length);
  const y = lines.findIndex(line => line.some(cell => cell.dataset.seat === seat));
  const x = lines[y].findIndex(cell => cell.dataset.seat === seat);
  const [down, right] = steps[event.key];
  const line = lines[Math.max(0, Math.min(lines.length - 1, y + down))];
  const cell = line[Math.max(0, Math.min(line.length - 1, x + right))];
  event.preventDefault();
  if (cell.dataset.seat) focusSeat(cell.dataset.seat);
});

function hosted({ host }) {
  return host.me ? t('who.guest') : t('who.host', { name: flight.name(host) });
}

// A seat was touched: who is there, and what can be done.
function showSeat(seat) {
  const entry = flight.seats.get(seat);
  const mark = flight.mark(seat);
  const parts = [el('p', { class: 'quiet' }, t('mark.' + mark))];
  const acts = [];
  if (mark === 'me') {
    parts.push(el('p', {}, t('seat.yours')));
  } else if (!entry || !entry.holders.length) {
    parts.push(el('p', {}, t('seat.empty')));
  } else {
    for (const holder of entry.holders) {
      const peer = flight.peers.get(holder.key);
      parts.push(el('p', {}, el('b', {}, flight.name(holder)), ' ',
        el('span', { class: 'quiet' }, holder.tag)));
      if (peer && peer.host) parts.push(el('p', { class: 'quiet' }, hosted(peer)));
      const evidence = holder.evidence || {};
      parts.push(el('p', { class: 'quiet' }, evidence.verified ? t('who.verified')
        : evidence.party ? t('who.party') : t('who.claimed')));
      if (peer && peer.offer && peer.offer.note) parts.push(el('p', {}, '“' + peer.offer.note + '”'));
      acts.push(el('button', { type: 'button', onclick: () => { closeSheet(); talkTo(holder); } },
        t('seat.message', { name: flight.name(holder) })), ...actsWith(holder));
    }
    if (flight.mine().length && mark !== 'disputed') {
      acts.unshift(el('button', { type: 'button', class: 'main', onclick: () => draftSwap(seat) },
        t('seat.ask', { seat })));
    }
  }
  openSheet(t('seat.title', { seat }), parts, acts);
}
