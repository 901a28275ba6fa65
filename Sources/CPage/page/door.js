// SPDX-License-Identifier: Apache-2.0
// Before somebody is in: words to compare, name and seat, and the code for who was here before.
'use strict';

// Whether somebody has found the words of the server's key on the host's screen.
async function compareWords(section, hasKey) {
  const words = hasKey ? null : await wire.typed().catch(() => null);
  document.querySelector('nav').hidden = document.getElementById('legend').hidden = true;
  if (!words) {
    section.replaceChildren(el('p', {}, t('door.scan')));
    return false;
  }
  const isSame = await new Promise(done => {
    const button = (label, same, kind) =>
      el('button', { type: 'button', class: kind, onclick: () => done(same) }, label);
    section.replaceChildren(el('p', { id: 'words-ask' }, t('words.ask', { name: wire.host() })),
      el('p', { class: 'crew', id: 'six' }, words.join(' ')),
      el('div', { class: 'row', role: 'group', 'aria-labelledby': 'words-ask' },
        button(t('party.yes'), true, 'main'), button(t('party.no'), false)));
  });
  if (isSame) {
    await wire.hello();
    document.querySelector('nav').hidden = document.getElementById('legend').hidden = false;
  } else section.replaceChildren(el('p', { role: 'alert' }, t('words.stop')));
  return isSame;
}

// The code that the host reads out.
function askCode(place, left) {
  return new Promise(done => {
    const label = t('join.code', { name: wire.host() });
    const code = el('input', { type: 'text', id: 'join-digits', maxlength: '6', pattern: '[0-9]{6}',
      inputmode: 'numeric', autocomplete: 'off', required: true });
    const send = el('button', { type: 'submit', class: 'main' }, t('join.back'));
    place.replaceChildren(el('form', { onsubmit: event => {
      event.preventDefault();
      send.disabled = true;
      done(code.value);
    } }, el('label', { for: 'join-digits' }, label), code,
    el('p', { role: 'alert' }, left ? t('join.wrong', { left }) : ''), send));
    code.focus();
  });
}

// The program for those who have a laptop, where the host gives it away.
function drawGift() {
  const gift = wire.gift();
  return gift ? el('p', {}, el('a', { class: 'button', href: '/get', download: gift.name },
    t('get.link', { size: (gift.size / 1e6).toFixed(1) })), el('br'),
  el('code', {}, 'SHA-256 ' + gift.sha256)) : null;
}

// Two fields for a boarding pass: a camera for one of paper, a choice for one that is on this phone.
function passFields(seat, flightName) {
  const field = (id, word, camera) => {
    const input = el('input', { type: 'file', id, accept: 'image/*', ...camera });
    input.addEventListener('change', async () => {
      const file = input.files[0];
      // The same picture may be chosen again.
      if (file) {
        await doing(input, async () => {
          await need('pass');
          await readPass(file, seat, flightName);
        });
      }
      input.value = '';
    });
    return [el('label', { for: id }, t(word)), input];
  };
  return [...field('pass-camera', 'pass.camera', { capture: 'environment' }),
    ...field('pass-file', 'pass.file', {}), el('p', { class: 'quiet' }, t('pass.private'))];
}

// Somebody without an agent says who they are, and waits until the host has let them in.
function comeIn(section, flightName) {
  document.querySelector('nav').hidden = true;
  document.getElementById('legend').hidden = true;
  const input = (id, length) => el('input', { type: 'text', id, maxlength: length,
    autocomplete: 'off', required: id !== 'join-party' });
  const name = input('join-name', '40'), seat = input('join-seat', '4'), party = input('join-party', '99');
  const send = el('button', { type: 'submit', class: 'main' }, t('join.send'));
  const again = el('button', { type: 'button' }, t('join.again'));
  const state = el('p', { role: 'status' }), place = el('div'), venue = wire.venue();
  const form = el('form', {}, el('h2', {}, t('join.title')),
    venue ? el('p', {}, venue) : flightName ? el('p', {}, t('join.flight', { flight: flightName })) : null,
    el('label', { for: 'join-name' }, t('join.name')), name,
    // Nobody has a seat in a venue.
    ...(venue ? [] : [el('label', { for: 'join-seat' }, t('join.seat')), seat,
      ...passFields(seat, flightName), el('label', { for: 'join-party' }, t('join.party')), party]),
    el('p', { class: 'quiet' }, t('join.host')), el('div', { class: 'row' }, send, again), state);
  section.replaceChildren(...[form, place, drawGift()].filter(Boolean));
  const show = isForm => {
    form.hidden = !isForm;
    send.disabled = again.disabled = !isForm;
    if (isForm) place.replaceChildren();
  };
  return new Promise(done => {
    async function ask(back) {
      if (!form.reportValidity()) return;
      send.disabled = again.disabled = true;
      const wish = { name: name.value.trim(), seat: seat.value.trim(), party: party.value.trim(), back };
      try {
        for (;;) {
          const { stage, left } = await wire.look('join', wish);
          delete wish.code;
          if (stage === 'here') break;
          if (stage === 'code') {
            show(false);
            wish.code = await askCode(place, left);
            continue;
          }
          state.textContent = t('join.' + stage);
          // An agent starts sooner than a host reads.
          await new Promise(next => setTimeout(next, stage === 'starts' ? 150 : 700));
        }
        await wire.hello();
        document.querySelector('nav').hidden = false;
        document.getElementById('legend').hidden = false;
        done();
      } catch (error) {
        state.textContent = '';
        complain(error);
        show(true);
      }
    }
    form.addEventListener('submit', event => {
      event.preventDefault();
      ask(false);
    });
    again.addEventListener('click', () => ask(true));
  });
}
