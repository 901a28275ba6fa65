// SPDX-License-Identifier: Apache-2.0
// The tab Requests: what others ask, what was asked, and plans with before and after.
'use strict';

const isOpen = one => ['open', 'agreed', 'stranded'].includes(one.state);

// The page of a request that somebody is about to answer: it stays as it was shown.
function movesOf(moves) {
  return el('ul', {}, ...moves.map(move => el('li', {},
    t('move', { seat: move.seat, from: flight.name(move.from), to: flight.name(move.to) }))));
}

function warningsOf(one) {
  const all = (one.warnings || []).map(({ code, what }) => coded('warn', code, what));
  if (one.risk) all.push(coded('warn', 'risk', one.risk));
  if (one.blocked) all.push(coded('error', one.blocked.code, one.blocked.what));
  if (all.length) needCodes('requests');
  return all.map(text => el('p', { class: 'warn' }, text));
}

function act(op, more) {
  return async () => {
    await wire.act(op, more);
    refresh('requests', 'seats', 'status');
  };
}

function drawRequest(one) {
  const from = one.direction === 'in' ? t('request.from', { name: flight.name(one.by) })
    : t('request.to', { name: one.with.map(who => flight.name(who)).join(', ') });
  const box = el('article', { 'data-request': one.number }, el('h3', {}, from),
    el('p', { class: 'quiet' }, t('request.' + one.state)), movesOf(one.moves));
  if (one.note) box.append(el('p', {}, '“' + one.note + '”'));
  if (one.reason) box.append(el('p', { class: 'quiet' }, one.reason));
  if (one.waits_for && one.waits_for.length && isOpen(one)) {
    box.append(el('p', { class: 'quiet' },
      t('request.waits', { name: one.waits_for.map(who => flight.name(who)).join(', ') })));
  }
  box.append(...warningsOf(one));
  const row = el('div', { class: 'row' });
  if (one.needs_answer) {
    const risky = Boolean(one.risk);
    const label = risky ? t('request.slide.risk') : t('request.slide');
    const more = { request: one.number, contract: one.contract, ...(risky ? { unverified: true } : {}) };
    if (wire.right() === 'guest') box.append(el('p', { class: 'quiet' }, t('join.host')));
    if (!one.blocked) box.append(slide(label, act('accept', more)));
    row.append(button(t('request.no'), () => sayNo(one), 'grave'));
    if (canCounter(one)) row.append(button(t('counter.title'), () => counterOffer(one)));
  } else if (one.state === 'open' || one.state === 'agreed') {
    row.append(el('button', { type: 'button',
      onclick: event => doing(event.target, act('cancel', { request: one.number })) },
    t('request.cancel')));
  }
  if (one.state === 'final') {
    row.append(el('button', { type: 'button', onclick: event =>
      doing(event.target, () => showReceipt(one.number)) }, t('request.receipt')));
  }
  if (row.children.length) box.append(row);
  return box;
}

drawings.requests = () => {
  const section = document.getElementById('requests');
  // A slide under a finger stays where it is.
  if (document.activeElement && document.activeElement.type === 'range') {
    clearTimeout(drawings.requests.later);
    drawings.requests.later = setTimeout(redraw, 1500, 'requests');
    return;
  }
  const open = flight.requests.filter(isOpen).reverse();
  const over = flight.requests.filter(one => !isOpen(one)).reverse().slice(0, 30);
  const waiting = open.filter(one => one.needs_answer);
  const others = open.filter(one => !one.needs_answer);
  section.replaceChildren(
    el('div', { class: 'row' },
      el('button', { type: 'button', onclick: event => doing(event.target, () => findPlans('together')) },
        t('plan.together')),
      el('button', { type: 'button', onclick: event => doing(event.target, () => findPlans('match')) },
        t('plan.match'))),
    ...part('request.part.in', waiting), ...part('request.part.out', others),
    ...part('request.part.over', over));
  if (!flight.requests.length) section.append(el('p', { class: 'quiet' }, t('request.none')));
  const tab = document.getElementById('tab-requests');
  tab.textContent = t('tab.requests') + (waiting.length ? ` (${waiting.length})` : '');
};

function part(word, list) {
  return list.length ? [el('h2', {}, t(word)), ...list.map(drawRequest)] : [];
}

// One of several; nothing where there is no choice.
function pick(label, all, chosen, then) {
  if (all.length < 2) return [];
  const choice = el('select', {}, ...all.map(one =>
    el('option', { value: one, selected: one === chosen }, one)));
  choice.addEventListener('change', () => then(choice.value));
  return [el('label', {}, label, choice)];
}

// The seats that a counter-offer can be about. Of several people all give what they were asked for.
function countered(one) {
  const isPair = one.with.length === 1 && one.moves.length === 2;
  const theirs = () => [...flight.seats.values()].filter(entry =>
    entry.holders.some(who => who.key === one.with[0].key)).map(entry => entry.seat);
  const give = one.moves.filter(move => move.from.me).map(move => move.seat);
  return { isPair, give: isPair ? flight.mine() : give,
    take: isPair ? theirs()
      : one.moves.filter(move => !move.from.me).map(move => move.seat),
    asked: [give[0], one.moves.filter(move => move.to.me).map(move => move.seat)[0]] };
}

function canCounter(one) {
  const { isPair, give, take, asked } = countered(one);
  return one.state === 'open' && (isPair || one.with.length > 1)
    && [give, take].some((seats, at) => seats.some(seat => seat !== asked[at]));
}

// Words for whom is asked: they stay when what is asked for changes.
const noteField = () => el('input', { type: 'text', id: 'note', maxlength: '180', autocomplete: 'off' });

// A no, with words if somebody has some.
function sayNo(one) {
  const note = noteField();
  openSheet(t('request.from', { name: flight.name(one.by) }),
    [movesOf(one.moves), el('label', {}, t('seat.note'), note)],
    [button(t('request.no'), async () => {
      await act('decline', { request: one.number, note: note.value.trim() || undefined })();
      closeSheet();
    }, 'grave')]);
}

// Another offer in place of the one on the table: first what would happen, then the slide.
async function counterOffer(one, to = {}, note = noteField()) {
  const { isPair, give, take, asked } = countered(one);
  const other = (seats, at) => seats.find(seat => seat !== asked[at]) || asked[at];
  to = { give: asked[0], take: other(take, 1), ...to };
  if (to.give === asked[0] && to.take === asked[1]) to.give = other(give, 0);
  const terms = { request: one.number, take: to.take, ...(isPair ? { give: to.give } : {}) };
  const parts = [
    ...pick(t('seat.give'), give, to.give, seat => counterOffer(one, { ...to, give: seat }, note)),
    ...pick(t('counter.take'), take, to.take, seat => counterOffer(one, { ...to, take: seat }, note))];
  const isWanted = sheetStays();
  try {
    const draft = await wire.look('counter', { ...terms, draft: true });
    parts.push(draft.moves ? movesOf(draft.moves)
      : el('p', {}, t('seat.draft', { give: draft.give, take: draft.take, name: flight.name(draft.who) })),
    ...warningsOf(draft), el('label', {}, t('seat.note'), note),
    slide(t('counter.slide'), async () => {
      await wire.act('counter', { ...terms, note: note.value.trim(),
        ...(draft.risk ? { unverified: true } : {}),
        ...(draft.moves ? { legs: draft.moves.map(move =>
          ({ seat: move.seat, to: move.to.key, from: move.from.key })) } : {}) });
      closeSheet();
      refresh('requests');
    }));
  } catch (error) {
    if (isWanted()) complain(error);
  }
  if (isWanted()) openSheet(t('counter.title'), parts);
}

// Asks for a seat: first what would happen, then the question.
async function draftSwap(seat, note = noteField()) {
  const mine = flight.mine();
  const give = draftSwap.give && mine.includes(draftSwap.give) ? draftSwap.give : mine[0];
  const isWanted = sheetStays();
  let asked;
  try {
    asked = await wire.look('swap', { seat, give, draft: true });
  } catch (error) {
    if (!isWanted()) return;
    closeSheet();
    complain(error);
    return;
  }
  if (!isWanted()) return;
  const parts = pick(t('seat.give'), mine, give, one => { draftSwap.give = one; draftSwap(seat, note); });
  const taken = asked.take || seat;
  parts.push(el('p', {}, t('seat.draft', { give: asked.give || give, take: taken, name: flight.name(asked.who) })));
  parts.push(...warningsOf(asked));
  parts.push(el('label', { for: 'note' }, t('seat.note')), note);
  const send = async () => {
    const more = { seat, give, holder: asked.who.key, ...(asked.risk ? { unverified: true } : {}) };
    if (note.value.trim()) more.note = note.value.trim();
    await wire.act('swap', more);
    closeSheet();
    tell(t('seat.asked', { seat }));
    refresh('requests');
  };
  openSheet(t('seat.title', { seat }), parts, [el('button', { type: 'button', class: 'main',
    onclick: event => doing(event.target, send) }, asked.risk ? t('seat.send.risk') : t('seat.send'))]);
}

// Looks for swaps, and shows how one would sit before and after.
async function findPlans(op) {
  const isWanted = sheetStays();
  const found = await wire.look(op);
  if (isWanted()) openSheet(t('plan.' + op), found.plans.map(plan => {
    const legs = plan.moves.map(move => ({ seat: move.seat, to: move.to.key,
      ...(move.from.me ? {} : { from: move.from.key }) }));
    // First what would happen, then the question.
    const send = async () => {
      const isWanted = sheetStays();
      const asked = await wire.look('propose', { legs, draft: true });
      if (!isWanted()) return;
      openSheet(t('plan.' + op), [movesOf(asked.moves || plan.moves),
        ...warningsOf(asked)], [el('button', { type: 'button', class: 'main',
        onclick: event => doing(event.target, async () => {
          await wire.act('propose', { legs, ...(asked.risk ? { unverified: true } : {}) });
          closeSheet();
          refresh('requests');
          showTab('requests');
        }) }, asked.risk ? t('seat.send.risk') : t('plan.propose'))]);
    };
    return el('div', { class: 'card' },
      el('p', {}, el('b', {}, t('plan.before')), ' ', plan.changes.map(change =>
        `${flight.name(change.who)} ${change.from}`).join(', ')),
      el('p', {}, el('b', {}, t('plan.after')), ' ', plan.changes.map(change =>
        `${flight.name(change.who)} ${change.to}`).join(', ')),
      ...plan.sentences.map(text => el('p', { class: 'quiet', lang: 'en' }, text)),
      plan.yours ? el('button', { type: 'button', class: 'main',
        onclick: event => doing(event.target, send) }, t('plan.propose')) : null);
  }));
}

// What the crew is shown, in a language that they read: seats and who has them now, in large letters.
async function showReceipt(number) {
  const isWanted = sheetStays();
  const receipt = await wire.look('receipt', { request: number });
  const { moves } = flight.requests.find(one => one.number === number) || { moves: [] };
  const full = who => [who.name, who.tag].join(' ').trim();
  const card = el('div', { class: 'card crew' });
  const draw = async language => {
    const spoken = await catalogue('/words/' + language);
    card.lang = language;
    card.replaceChildren(el('p', {}, spoken['receipt.title']), el('p', {}, receipt.flight),
      el('b', {}, receipt.seats.map(one => one.seat).join(' ⇄ ')),
      ...moves.map(({ seat, from, to }) =>
        el('p', {}, fill(spoken.move, { seat, from: full(from), to: full(to) }))),
      el('p', { class: 'quiet' },
        fill(spoken['receipt.agreed'], { time: clockOf(receipt.agreed) })));
  };
  const page = document.documentElement.lang;
  const choice = el('select', { 'aria-label': t('receipt.language') },
    ...Object.entries(languages).map(([one, name]) =>
      el('option', { value: one, lang: one, selected: one === page }, name)));
  choice.addEventListener('change', () => doing(choice, () => draw(choice.value)));
  await draw(page);
  if (isWanted()) openSheet(t('receipt.title'), [choice, card],
  [el('button', { type: 'button', onclick: event => doing(event.target, async () => {
    await wire.act('seated', { request: number });
    tell(t('receipt.told'));
  }) }, t('receipt.seated'))]);
}
