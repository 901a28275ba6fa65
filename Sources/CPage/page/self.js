// SPDX-License-Identifier: Apache-2.0
// The tab Me: name, seats, wish, party, and what this page is.
'use strict';

const self$ = { wish: null, party: null, typed: {} };

async function loadSelf() {
  [self$.wish, self$.party] = await Promise.all([wire.look('wish'), wire.look('party')]);
}

// A line to type in with a button; what was typed stays until it was taken, whatever is drawn anew.
function field(id, label, value, button, work) {
  const input = el('input', { type: 'text', id, maxlength: '200', autocomplete: 'off' });
  const { typed } = self$;
  input.value = id in typed ? typed[id] : value || '';
  input.addEventListener('input', () => { typed[id] = input.value; });
  const send = el('button', { type: 'submit' }, button);
  const form = el('form', {}, el('label', { for: id }, label), input, el('div', { class: 'row' }, send));
  form.addEventListener('submit', event => {
    event.preventDefault();
    doing(send, async () => {
      const text = input.value;
      await work(text.trim());
      if (typed[id] === text) delete typed[id];
      input.blur();
      await again();
    });
  });
  return form;
}

async function again() {
  await loadSelf();
  refresh('status', 'seats', 'peers');
  drawSelf();
}

// Kinds of seats, which the agent reads in English, and whom the others may ask.
const kinds = ['window', 'aisle', 'front', 'back'], asks = ['anything', 'similar', 'nothing'];

function drawWish() {
  const wish = self$.wish;
  const words = wish ? wish.choices.map(choice => choice.words).join(', ') : '';
  const form = field('wish', t('wish.words'), words, t('wish.set'),
    async text => wire.act('wish', text ? { words: text } : { offer: [] }));
  const more = word => () => {
    const input = document.getElementById('wish');
    input.value = self$.typed.wish = [input.value.trim(), word].filter(Boolean).join(', ');
  };
  form.lastChild.prepend(...kinds.map(word =>
    el('button', { type: 'button', onclick: more(word) }, t('wish.' + word))));
  const asked = el('select', {}, ...asks.map(one =>
    el('option', { value: one, selected: wish && wish.asks === one }, t('asks.' + one))));
  asked.addEventListener('change', () => doing(asked, async () => {
    await wire.act('wish', { asks: asked.value });
    await again();
  }));
  return [el('h2', {}, t('wish.title')), form, el('label', {}, t('asks.title'), asked),
    wish && wish.seats && wish.seats.length ? el('div', { class: 'row' },
      el('span', {}, t('wish.offered', { seats: wish.seats.join(', ') })),
      el('button', { type: 'button', onclick: event => doing(event.target, async () => {
        await wire.act('withdraw');
        await again();
      }) }, t('wish.withdraw'))) : null];
}

// Who sits in a seat: what the own agent needs to know for the rules of the cabin.
const facts = ['exit', 'child', 'infant', 'helped', 'standby', 'paid'];

async function showNeeds(seat) {
  const isWanted = sheetStays();
  const { people } = await wire.look('needs');
  if (!isWanted()) return;
  const known = people.find(one => one.seat === seat) || { facts: [] };
  const boxes = facts.map(fact => el('input', { type: 'checkbox', value: fact,
    checked: known.facts.includes(fact) }));
  const beside = el('select', {}, ...['', ...[...flight.seats.keys()].filter(one => one !== seat)]
    .map(one => el('option', { value: one, selected: one === known.with }, one || '–')));
  openSheet(t('needs.title', { seat }), [el('p', { class: 'quiet' }, t('needs.private')),
    ...boxes.map(box => el('label', { class: 'check' }, box, t('needs.' + box.value))),
    el('label', {}, t('needs.with'), beside)], [button(t('needs.set'), async () => {
    await wire.act('needs-set', { seat, facts: boxes.filter(box => box.checked).map(box => box.value),
      ...(beside.value ? { with: beside.value } : {}) });
    closeSheet();
  }, 'main')]);
}

function drawParty() {
  const party = self$.party;
  const parts = [el('h2', {}, t('party.title'))];
  if (!party || !party.code) {
    parts.push(field('party', t('party.code'), '', t('party.join'),
      async text => wire.act('party-join', { code: text })),
    el('button', { type: 'button', onclick: event => doing(event.target, async () => {
      await wire.act('party-new');
      await again();
    }) }, t('party.new')));
    return parts;
  }
  parts.push(el('p', {}, t('party.yours'), ' ', el('b', {}, party.code)),
    el('ul', {}, ...party.companions.map(one => el('li', {}, flight.name(one.who)))));
  for (const who of party.candidates) {
    const answer = companion => event => doing(event.target, async () => {
      await wire.act('party-answer', { who: who.key, companion });
      await again();
    });
    parts.push(el('div', { class: 'card' }, el('p', {}, t('party.asks', { name: flight.name(who) })),
      el('div', { class: 'row' },
        el('button', { type: 'button', class: 'main', onclick: answer(true) }, t('party.yes')),
        el('button', { type: 'button', onclick: answer(false) }, t('party.no')))));
  }
  parts.push(el('button', { type: 'button', class: 'grave', onclick: event =>
    doing(event.target, async () => { await wire.act('party-leave'); await again(); }) }, t('party.leave')));
  return parts;
}

// What takes the key along comes when it is wanted.
async function showTaking() {
  showTaking.loads = showTaking.loads || (async () => {
    Object.assign(words, await catalogue('/take/words/' + document.documentElement.lang));
    await need('take/take');
  })();
  try { await showTaking.loads; } catch (error) {
    showTaking.loads = null;
    throw error;
  }
  await openTaking();
}

const drawFooter = () => el('footer', {}, el('p', {}, t('foot.sealed')),
  el('p', {}, location.protocol === 'https:' ? t('foot.https') : t('foot.rewrite')));

function drawSelf() {
  const section = document.getElementById('self');
  const me = flight.status && flight.status.me;
  if (!me) return;
  // Who types is not disturbed.
  if (section.contains(document.activeElement) && /text|select/.test(document.activeElement.type)) return;
  const done = flight.requests.filter(one => one.state === 'final');
  section.replaceChildren(...[
    el('h2', {}, me.name || me.tag, ' ', el('span', { class: 'quiet' }, me.tag)),
    el('p', {}, me.seats.length ? t('self.seats', { seats: me.seats.join(', ') }) : t('self.noseat')),
    ...me.seats.map(seat => button(t('needs.title', { seat }), () => showNeeds(seat))),
    field('seat', t('self.claim'), '', t('self.claim.send'),
      async text => wire.act('claim', { seat: text.toUpperCase() })),
    field('name', t('self.name'), me.name, t('self.rename'),
      async text => wire.act('rename', { name: text })),
    ...drawWish(), ...drawParty(),
    el('h2', {}, t('receipt.list')),
    ...(done.length ? done.map(one => el('button', { type: 'button', onclick: event =>
      doing(event.target, () => showReceipt(one.number)) },
    one.moves.map(move => move.seat).join(' ⇄ '))) : [el('p', { class: 'quiet' }, t('receipt.none'))]),
    ...(wire.right() === 'guest' ? [el('p', {}, t('join.host')), button(t('guest.take'), showTaking),
      el('button', { type: 'button', class: 'grave', onclick: event => doing(event.target, async () => {
        tell(t('guest.leaves'));
        await wire.act('leave');
        document.querySelector('nav').hidden = true;
        // Nothing that waited for a press is drawn over it.
        drawings.self = null;
        section.replaceChildren(el('p', {}, t('guest.left')));
      }) }, t('guest.leave'))] : []),
    drawGift(), drawFooter(),
  ].filter(Boolean));
}

drawings.self = drawSelf;
readers.self = async () => {
  if (wire.taken()) return showTaking().catch(() => setTimeout(refresh, 3000, 'self'));
  await loadSelf();
  redraw('self');
};
if (wire.right()) refresh('self');
