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
  return [...(one.warnings || []).map(warning => el('p', { class: 'warn' }, warning.what)),
    one.risk ? el('p', { class: 'warn' }, one.risk) : null,
    one.blocked ? el('p', { class: 'warn' }, one.blocked.what) : null];
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
  box.append(...warningsOf(one).filter(Boolean));
  const row = el('div', { class: 'row' });
  if (one.needs_answer) {
    const risky = Boolean(one.risk);
    const label = risky ? t('request.slide.risk') : t('request.slide');
    const more = { request: one.number, contract: one.contract, ...(risky ? { unverified: true } : {}) };
    if (wire.right() === 'guest') box.append(el('p', { class: 'quiet' }, t('join.host')));
    if (!one.blocked) box.append(slide(label, act('accept', more)));
    row.append(el('button', { type: 'button', class: 'grave',
      onclick: event => doing(event.target, act('decline', { request: one.number })) },
    t('request.no')));
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
    drawings.requests.later = setTimeout(drawings.requests, 1500);
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

// Asks for a seat: first what would happen, then the question.
async function draftSwap(seat) {
  const mine = flight.mine();
  const give = draftSwap.give && mine.includes(draftSwap.give) ? draftSwap.give : mine[0];
  let asked;
  try {
    asked = await wire.look('swap', { seat, give, draft: true });
  } catch (error) {
    closeSheet();
    return complain(error);
  }
  const note = el('input', { type: 'text', id: 'note', maxlength: '180', autocomplete: 'off' });
  const parts = [];
  if (mine.length > 1) {
    const choice = el('select', { 'aria-label': t('seat.give') },
      ...mine.map(own => el('option', { value: own, selected: own === give }, own)));
    choice.addEventListener('change', () => { draftSwap.give = choice.value; draftSwap(seat); });
    parts.push(choice);
  }
  const taken = asked.take || seat;
  parts.push(el('p', {}, t('seat.draft', { give: asked.give || give, take: taken, name: flight.name(asked.who) })));
  parts.push(...warningsOf(asked).filter(Boolean));
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
  const found = await wire.look(op);
  openSheet(t('plan.' + op), found.plans.map(plan => {
    const legs = plan.moves.map(move => ({ seat: move.seat, to: move.to.key,
      ...(move.from.me ? {} : { from: move.from.key }) }));
    // First what would happen, then the question.
    const send = async () => {
      const asked = await wire.look('propose', { legs, draft: true });
      openSheet(t('plan.' + op), [movesOf(asked.moves || plan.moves),
        ...warningsOf(asked).filter(Boolean)], [el('button', { type: 'button', class: 'main',
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
      ...plan.sentences.map(sentence => el('p', { class: 'quiet' }, sentence)),
      plan.yours ? el('button', { type: 'button', class: 'main',
        onclick: event => doing(event.target, send) }, t('plan.propose')) : null);
  }));
}

// What the crew is shown: seats and who has them now, in large letters.
async function showReceipt(number) {
  const receipt = await wire.look('receipt', { request: number });
  const lines = receipt.names || [];
  openSheet(t('receipt.title'), [el('div', { class: 'card crew' },
    el('p', {}, receipt.flight),
    el('b', {}, receipt.seats.map(one => one.seat).join(' ⇄ ')),
    ...lines.map(line => el('p', {}, line)),
    el('p', { class: 'quiet' }, t('receipt.agreed', { time: clockOf(receipt.agreed) })))],
  [el('button', { type: 'button', onclick: event => doing(event.target, async () => {
    await wire.act('seated', { request: number });
    tell(t('receipt.told'));
  }) }, t('receipt.seated'))]);
}
