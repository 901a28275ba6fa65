// SPDX-License-Identifier: Apache-2.0
// The tab Talk: everyone, the party, and each person.
'use strict';

const talk = { with: 'all', who: null };
const game = { who: null, names: [...'ABCDEFG'], busy: new Set() };

// Somebody played: whoever plays has the game's script.
function takeMove(line) {
  if (game.who && game.who.key === line.who.key) refresh('game');
  else if (!line.outgoing) tell(`${t('game.title')}: ${flight.name(line.who)}`);
}

// Whose line it is: everyone's, the party's, or of one person.
function roomOf(line) {
  if (line.event === 'chat') return 'all';
  return line.event === 'party' ? 'party' : line.who.key;
}

function rooms() {
  const people = [...flight.peers.values()].filter(peer => !peer.left && !peer.blocked);
  const known = new Set(people.map(peer => peer.key));
  // Somebody who left may have written.
  for (const line of flight.lines) {
    if (line.event === 'message' && !known.has(line.who.key)) {
      known.add(line.who.key);
      people.push(line.who);
    }
  }
  people.sort((left, right) => flight.name(left).localeCompare(flight.name(right)));
  return people;
}

function talkTo(who) {
  talk.with = who.key;
  talk.who = who;
  showTab('talk');
  document.getElementById('words').focus();
}

function clockOf(date) {
  return new Date(date).toLocaleTimeString(document.documentElement.lang,
    { hour: '2-digit', minute: '2-digit' });
}

function drawLine(line) {
  const isOwn = line.event === 'message' ? line.outgoing : line.who.me;
  const state = line.event === 'message' && line.outgoing ? t('message.' + line.state) : '';
  return el('li', {}, el('time', { datetime: line.at }, clockOf(line.at)), ' ',
    el('b', {}, isOwn ? t('you') : flight.name(line.who)), line.text,
    state ? el('span', { class: 'mark' }, ' ' + state) : null);
}

// Looks for words in all that was said.
function searchTalk() {
  const input = el('input', { type: 'text', id: 'sought', maxlength: '200', autocomplete: 'off',
    'aria-label': t('talk.search') });
  const found = el('ul', { class: 'lines', role: 'status' });
  const send = el('button', { type: 'submit', class: 'main' }, t('talk.search'));
  const form = el('form', { class: 'row tight' }, input, send);
  form.addEventListener('submit', event => {
    event.preventDefault();
    doing(send, async () => {
      const { items } = await wire.look('search', { text: input.value.trim(), limit: 50 });
      found.replaceChildren(...items.map(line => {
        const drawn = drawLine(line);
        if (line.event === 'message' && line.outgoing) drawn.prepend(`→ ${flight.name(line.who)} `);
        return drawn;
      }));
      if (!items.length) found.replaceChildren(el('li', { class: 'quiet' }, t('talk.nothing')));
    });
  });
  openSheet(t('talk.search'), [form, found]);
}

function buildTalk() {
  const input = el('input', { type: 'text', id: 'words', maxlength: '2000', autocomplete: 'off',
    'aria-label': t('talk.words'), placeholder: t('talk.words') });
  input.addEventListener('input', () => { draft(talk.with, input.value); });
  const send = el('button', { type: 'submit', class: 'main' }, t('talk.send'));
  const form = el('form', { class: 'write' }, input, send);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const text = input.value.trim(), room = talk.with;
    if (!text) return;
    // What was typed stays until it is sent.
    doing(send, async () => {
      if (room === 'all') await wire.act('say', { text });
      else if (room === 'party') await wire.act('party-say', { text });
      else await wire.act('msg', { who: room, text });
      if ((drafts[room] || text).trim() === text) {
        draft(room, '');
        if (talk.with === room) input.value = '';
      }
      refresh('lines');
    });
  });
  const room = el('select', { id: 'room', 'aria-label': t('talk.with') });
  room.addEventListener('change', () => { talk.with = room.value;
    talk.who = flight.peers.get(room.value) || null;
    drawings.talk();
  });
  const play = button(t('game.title'), async () => {
    await need('game');
    showGame(flight.peers.get(talk.with) || talk.who);
  });
  play.id = 'play';
  document.getElementById('talk').replaceChildren(
    el('div', { class: 'row tight' }, room, button(t('talk.search'), searchTalk)),
    el('div', { class: 'row' }, play),
    el('div', { role: 'log', 'aria-label': t('tab.talk') }, el('ul', { class: 'lines', id: 'lines' })),
    form);
}

drawings.talk = () => {
  if (!document.getElementById('room')) buildTalk();
  const room = document.getElementById('room');
  const options = [['all', t('talk.all')], ...(atVenue.loads ? [] : [['party', t('talk.party')]]),
    ...rooms().map(who => [who.key, [flight.name(who), ...(who.seats || [])].join(' ')])];
  // Whoever is written to stays so, even if they have gone: private words go to nobody else.
  if (!options.some(([key]) => key === talk.with)) {
    const who = flight.peers.get(talk.with) || talk.who;
    options.push([talk.with, who && who.key === talk.with ? flight.name(who) : talk.with.slice(0, 8)]);
  }
  room.replaceChildren(...options.map(([key, label]) =>
    el('option', { value: key, selected: key === talk.with }, label)));
  room.value = talk.with;
  document.getElementById('play').hidden = talk.with === 'all' || talk.with === 'party';
  const input = document.getElementById('words');
  const typed = drafts[talk.with] || '';
  if (input.value !== typed) input.value = typed;
  const lines = flight.lines.filter(line => roomOf(line) === talk.with);
  const list = document.getElementById('lines');
  const wasAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 80;
  list.replaceChildren(...lines.map(drawLine));
  if (!lines.length) list.replaceChildren(el('li', { class: 'quiet' }, t('talk.none')));
  if (wasAtEnd && !document.getElementById('talk').hidden) window.scrollTo(0, document.body.scrollHeight);
};
