// SPDX-License-Identifier: Apache-2.0
// What is done with a person: comparing codes, blocking.
'use strict';

function button(label, work, kind = '') {
  return el('button', { type: 'button', class: kind, onclick: event => doing(event.target, work) }, label);
}

// Buttons for the sheet of a seat.
function actsWith(who) {
  const peer = flight.peers.get(who.key) || who;
  const name = flight.name(who);
  if (peer.blocked) {
    return [button(t('person.unblock', { name }), async () => {
      await wire.act('unblock', { who: who.key });
      closeSheet();
      refresh('peers', 'seats', 'lines', 'requests');
    })];
  }
  const acts = [button(t('person.block', { name }), async () => {
    await wire.act('block', { who: who.key });
    closeSheet();
    tell(t('person.blocked', { name }));
    refresh('peers', 'seats', 'lines', 'requests');
  }, 'grave')];
  if (!(who.evidence || {}).verified) {
    acts.unshift(button(t('verify.start', { name }), () => compare(who)));
  }
  return acts;
}

showComparing.ends = 0;

async function compare(who) {
  await showAnswer(wire.act('verify', { who: who.key }));
}

// The end of a comparison can be heard before the answer that says how it stood: what is over stays shut.
async function showAnswer(answer) {
  const ends = showComparing.ends;
  const said = await answer;
  if (showComparing.ends === ends) showComparing(said);
}

// Both read numbers aloud: nobody in between can make them the same.
function showComparing({ state, who, code }) {
  if (!who || state === 'idle') {
    if (showComparing.isShown) closeSheet();
    return;
  }
  const name = flight.name(who), title = t('verify.start', { name });
  const stop = button(t('verify.cancel'), async () => {
    await wire.act('verify-cancel');
    closeSheet();
  }, 'grave');
  const say = same => () => showAnswer(wire.act('compared', { same, code }));
  showComparing.isShown = true;
  if (state === 'compare' && code) {
    openSheet(title, [el('p', {}, t('verify.read')), el('p', { class: 'crew' }, el('b', {}, code))],
      [button(t('verify.same'), say(true), 'main'), button(t('verify.other'), say(false), 'grave')]);
  } else if (state === 'asked') {
    openSheet(title, [el('p', {}, t('verify.asks', { name }))],
      [button(title, () => compare(who), 'main'), stop]);
  } else {
    openSheet(title, [el('p', {}, t('verify.waits', { name }))], [stop]);
  }
}

function takeComparing(event) {
  const name = flight.name(event.who);
  const sheet = document.getElementById('sheet');
  if (event.state === 'asked' || event.state === 'compare') {
    // What somebody is about to do is not pulled away under their finger.
    if (!sheet.open || showComparing.isShown) showComparing(event);
    else tell(t('verify.asks', { name }));
    return;
  }
  showComparing.ends += 1;
  if (showComparing.isShown) closeSheet();
  if (event.state === 'verified') tell(t('verify.done', { name }));
  else tell(t(event.state === 'alarm' ? 'verify.alarm' : 'verify.ended', { name }), true);
  refresh('peers', 'seats', 'status', 'requests');
}
