// SPDX-License-Identifier: Apache-2.0
// At a venue in place of a flight: what is free on a day, booking it, and one's own bookings.
'use strict';

// The same letters as in the view of the laptop, and the colours of seats that mean the like.
const letters = { free: '.', taken: 'x', yours: '+', closed: '-', asked: '~', offered: 'o', unpaid: '!' };
const colours = { free: 'aboard', taken: 'disputed', yours: 'me', closed: 'away', asked: 'offers',
  offered: 'wants', unpaid: 'asks' };
const venue = { sheet: null, status: null, form: null, asked: new Map(), heard: new Map(), gifts: new Map(),
  at: null };

// Dates and clocks there come as they are: no zone of the phone changes them.
const tongue = () => document.documentElement.lang;
const dayWords = day => new Date(day + 'T00:00Z').toLocaleDateString(tongue(),
  { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' });
const clockWords = minute => new Date(minute * 60000).toLocaleTimeString(tongue(),
  { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const momentWords = text => `${dayWords(text.slice(0, 10))} ${text.slice(11)}`;
const daysLater = (day, days) =>
  new Date(Date.parse(day + 'T00:00Z') + days * 86400000).toISOString().slice(0, 10);

function when({ day, from, minutes }) {
  if (from === 0 && minutes % 1440 === 0) {
    const last = daysLater(day, minutes / 1440 - 1);
    return last === day ? dayWords(day) : `${dayWords(day)} – ${dayWords(last)}`;
  }
  return `${dayWords(day)} ${clockWords(from)}–${clockWords(from + minutes)}`;
}

// Currencies without cents, and those with thousandths, as the agent counts them: browsers know others.
const whole = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const thousandths = 'BHD IQD JOD KWD LYD OMR TND';

function money(due) {
  if (!due) return t('venue.nothing');
  const { currency } = due;
  const digits = whole.includes(currency) ? 0 : thousandths.includes(currency) ? 3 : 2;
  return new Intl.NumberFormat(tongue(), { style: 'currency', currency, minimumFractionDigits: digits,
    maximumFractionDigits: digits }).format(due.amount / 10 ** digits);
}

const length = minutes => minutes % 1440 === 0 ? t('venue.days', { count: minutes / 1440 })
  : minutes % 60 === 0 ? t('venue.hours', { count: minutes / 60 })
    : t('venue.minutes', { count: minutes });

// What is left of each quota of the class.
function leftWords(left) {
  const parts = [];
  if (left.minutes_limit) parts.push(t('venue.left', { left: length(left.minutes), all: length(left.minutes_limit) }));
  if (left.bookings_limit) parts.push(t('venue.left.bookings', { left: left.bookings, all: left.bookings_limit }));
  return [left.group, parts.join(', ')].filter(Boolean).join(': ');
}

// What the operator says; nothing before it is here.
function operatorWords() {
  try { return JSON.parse(venue.status.words); } catch { return null; }
}

const placesOf = mode => ((operatorWords() || {}).places || []).filter(one => one.mode === mode);

// Whether a word is of a pattern of the operator: # is a digit, ? any sign.
const fits = (pattern, word) => !pattern || pattern.length === word.length && [...pattern].every((sign, at) =>
  sign === '?' || (sign === '#' ? /[0-9]/.test(word[at]) : sign.toLowerCase() === word[at].toLowerCase()));

// Who only members book with says who they are, to the desk alone. What it asks for is in the words of the
// operator; what each question has for a number is in docs/control.md.
function drawJoin() {
  const words = operatorWords(), { form } = venue, me = flight.status && flight.status.me;
  if (!words || !me) return null;
  if (form && !/refused|unknown/.test(form.state)) {
    return el('p', { class: 'warn', role: 'status' },
      t(form.state === 'kept' ? 'venue.form.kept' : 'venue.form.waiting'));
  }
  const input = (number, label, more) => el('label', {}, t(label),
    el('input', { type: 'text', id: 'member-' + number, name: number, maxlength: '120', required: true, ...more }));
  // A number is asked for where people with that address have one, and may be told where all may.
  const number = input(2, 'venue.form.number', { autocomplete: 'off' });
  const askNumber = mail => {
    const all = words.classes.filter(one => one.number && fits(one.mail, mail));
    number.hidden = !all.length;
    number.lastChild.required = all.some(one => one.mail);
  };
  askNumber('');
  const send = el('button', { type: 'submit', class: 'main' }, t('venue.form.send'));
  const tidy = { 2: text => text.replace(/\s/g, ''), 3: text => text.toUpperCase() };
  return el('form', { id: 'member', onsubmit: event => {
    event.preventDefault();
    const fields = [...event.target.querySelectorAll('label:not([hidden]) input')].map(({ name, value }) =>
      ({ number: Number(name), text: (tidy[name] || (text => text))(value.trim().replace(/\s+/g, ' ')) }));
    doing(send, async () => {
      venue.form = await wire.act('form', { kind: 'join', fields: fields.filter(one => one.text) });
      document.activeElement.blur();
      redraw('cabin');
      refresh('day');
    });
  } }, el('p', { class: 'warn' }, t('venue.join')),
  form ? el('p', { class: 'warn', role: 'alert' }, t('venue.refused'), ' ', form.text || '') : null,
  input(0, 'venue.form.name', { value: me.name || wire.name(), autocomplete: 'name' }),
  input(1, 'venue.form.mail', { inputmode: 'email', autocomplete: 'email', autocapitalize: 'none',
    pattern: '[^ ]+@[^ ]+', oninput: event => askNumber(event.target.value.trim()) }), number,
  words.rules.member === 'suite' ? input(3, 'venue.form.suite', { pattern: '[A-Za-z0-9]{2,5}', autocomplete: 'off' }) : null,
  el('div', { class: 'row' }, send));
}

// The head of the page: the day, the desk, what it says, and what is left.
function drawHead(sheet) {
  const turn = days => () => { venue.day = daysLater(sheet.day, days); return read('day'); };
  const step = (label, mark, days, limit) => el('button', { type: 'button', 'aria-label': t(label),
    disabled: sheet.day === limit, onclick: turn(days) }, mark);
  const desk = sheet.desk, isBooked = placesOf('granted').length > 0;
  const quiet = text => el('p', { class: 'quiet' }, text);
  return [
    el('div', { class: 'row tight' }, el('h2', { id: 'day' }, dayWords(sheet.day)),
      step('venue.before', '‹', -1, sheet.first), step('venue.after', '›', 1, sheet.last)),
    quiet([sheet.hours.join(', ') || t('mark.closed'), sheet.reason,
      isBooked && t(desk && desk.here ? 'venue.desk.here' : 'venue.desk.away')].filter(Boolean).join(' · ')),
    desk && desk.says ? el('p', { class: 'card' }, t('venue.says'), ' ', desk.says) : null,
    ...sheet.alarms.map(text => el('p', { class: 'warn', lang: 'en' }, text)),
    sheet.must_join ? drawJoin() : null,
    sheet.class || sheet.quotas.length
      ? quiet([sheet.class, ...sheet.quotas.map(leftWords)].filter(Boolean).join(' · ')) : null,
    isBooked && !desk ? quiet(t('venue.unknown')) : null,
  ];
}

function drawCell(row, cell, column, home) {
  const key = `${row.place}/${column}`;
  const many = row.count > 1 && cell.free != null && cell.mark !== 'closed';
  const sign = cell.mark === 'free' || cell.mark === 'taken' ? '' : letters[cell.mark];
  const words = [row.name, cell.period && when(cell.period), t('mark.' + cell.mark),
    many ? `${cell.free}/${row.count}` : ''].filter(Boolean).join(', ');
  return el('button', { type: 'button', role: 'gridcell', class: colours[cell.mark], 'data-seat': key,
    'data-mark': cell.mark, tabindex: key === home ? '0' : '-1', 'aria-label': words,
    disabled: !cell.period, onclick: () => { venue.at = key; showCell(row, cell); } },
  many ? `${cell.free}/${row.count}${sign}` : letters[cell.mark]);
}

function drawTable(table, home) {
  return el('div', { class: 'day' }, el('div', { role: 'grid', 'aria-label': t('venue.grid') },
    el('div', { role: 'row' }, el('span', { role: 'columnheader' }, t('venue.place')),
      ...table.columns.map(text => el('span', { role: 'columnheader' }, text))),
    ...table.rows.map(row => el('div', { role: 'row' }, el('span', { role: 'rowheader' }, row.name),
      ...row.cells.map((cell, column) => drawCell(row, cell, column, home))))));
}

function drawDay() {
  const { sheet } = venue, map = document.getElementById('map');
  if (!sheet) return;
  const active = document.activeElement, before = active && active.dataset.seat;
  clearTimeout(drawDay.later);
  // Who types is not disturbed.
  if (active && map.contains(active) && active.matches('#member input')) {
    drawDay.later = setTimeout(redraw, 1500, 'cabin');
    return;
  }
  const typed = [...map.querySelectorAll('#member input')].filter(one => one.value !== one.defaultValue)
    .map(one => [one.id, one.value]);
  const scrolled = [...map.querySelectorAll('.day')].map(one => one.scrollLeft);
  // Each table has one cell that the tab key comes to.
  const home = table => table.rows.some(row => row.cells.some((_, column) =>
    `${row.place}/${column}` === venue.at)) ? venue.at : `${table.rows[0].place}/0`;
  map.replaceChildren(...[...drawHead(sheet),
    ...sheet.tables.map(table => drawTable(table, home(table))), ...drawCounted()]
    .filter(Boolean));
  map.querySelectorAll('.day').forEach((one, at) => { one.scrollLeft = scrolled[at] || 0; });
  for (const [id, value] of typed) {
    const input = document.getElementById(id);
    if (!input) continue;
    input.value = value;
    input.dispatchEvent(new Event('input'));
  }
  if (before) focusSeat(before);
  document.getElementById('legend').replaceChildren(...Object.keys(letters).map(mark =>
    el('li', {}, el('b', { class: colours[mark], 'aria-hidden': 'true' }, letters[mark]),
      t('mark.' + mark))));
}

// Places where people only say that they are there.
function drawCounted() {
  const { status } = venue;
  return placesOf('counted').map(place => {
    const here = status.in && status.stay.place === place.id;
    const people = (status.places.find(one => one.place === place.id) || { people: 0 }).people;
    const step = async () => {
      await (here ? wire.act('checkout') : wire.act('checkin', { place: place.id }));
      await read('venue');
    };
    return el('div', { class: 'card' }, el('b', {}, place.name), ' ', t('venue.people', { count: people }),
      el('div', { class: 'row' }, status.in && !here ? null
        : button(t(here ? 'venue.checkout' : 'venue.checkin'), step, here ? '' : 'main')));
  });
}

// A cell was touched.
function showCell(row, cell) {
  const own = (venue.sheet.own || []).find(one => one.name === row.name
    && one.period.day === cell.period.day && one.period.from <= cell.period.from
    && cell.period.from < one.period.from + one.period.minutes);
  const isFree = cell.mark === 'free';
  if (own) return openSheet(own.name, drawOwn(own));
  if (!isFree && !(cell.mark === 'taken' && cell.offered && venue.sheet.queues)) {
    return openSheet(row.name, [el('p', {}, when(cell.period)), el('p', { class: 'quiet' }, t('mark.' + cell.mark))]);
  }
  draftBooking(row, cell, isFree, row.lengths[0].minutes, 1);
}

// What it would be and cost; then the slide.
function draftBooking(row, cell, isFree, minutes, count) {
  const again = (more, many) => draftBooking(row, cell, isFree, more, many);
  const chosen = row.lengths.find(one => one.minutes === minutes);
  const choice = (label, all, one, words, then) => all.length < 2 ? [] : [el('label', {}, label,
    (() => {
      const select = el('select', {}, ...all.map(value =>
        el('option', { value, selected: value === one }, words(value))));
      select.addEventListener('change', () => then(Number(select.value)));
      return select;
    })())];
  const period = { ...cell.period, minutes };
  const due = chosen && chosen.due && { ...chosen.due, amount: chosen.due.amount * count };
  const counts = Array.from({ length: isFree ? cell.free || 1 : 1 }, (_, at) => at + 1);
  openSheet(row.name, [el('p', {}, el('b', {}, when(period))),
    ...choice(t('venue.length'), row.lengths.map(one => one.minutes), minutes, length, more => again(more, count)),
    ...choice(t('venue.count'), counts, count, String, many => again(minutes, many)),
    el('p', {}, t('venue.price', { price: money(due) })),
    ...venue.sheet.quotas.map(left => el('p', { class: 'quiet' },
      [venue.sheet.class, leftWords(left)].filter(Boolean).join(': '))),
    venue.sheet.must_join ? el('p', { class: 'warn' }, t('reason.6'))
      : slide(t(isFree ? 'venue.book' : 'venue.wait'), async () => {
        await ask('book', { place: row.place, period, count, ...(isFree ? {} : { waits: true }) });
      })].filter(Boolean));
}

// Asks the desk, and says what it said, now or later.
async function ask(op, more) {
  const said = await wire.act(op, more);
  closeSheet();
  venue.asked.set(said.ask, op);
  // What the desk said can be heard before the answer to the question.
  tellOutcome(venue.heard.get(said.ask) || said);
  refresh('day');
}

function tellOutcome(said) {
  const op = venue.asked.get(said.ask);
  if (!op) return;
  if (said.state === 'asked') return tell(t(op === 'book' ? 'venue.asked' : 'venue.stands'));
  if (said.state !== 'waiting') venue.asked.delete(said.ask);
  if (said.state === 'done') return tell(t(op === 'book' ? 'venue.booked' : 'venue.done'));
  if (said.state === 'waiting') return tell(t('venue.waiting', { count: said.waiting || 1 }));
  const why = words['reason.' + said.reason];
  tell([t('venue.refused'), why].filter(Boolean).join(' '), true);
}

// A booking of one's own: code, price, how to pay, cancel, give.
function drawOwn(own) {
  const due = own.due, open = due && own.paid < due.amount, paying = own.payment || {};
  const line = (label, text) => text ? el('li', {}, t(label), ' ', el('b', {}, text)) : null;
  const spent = el('p', { class: 'quiet' }, t('venue.cancel.until', { time: momentWords(own.cancel_until) }));
  const pending = venue.sheet.asks.find(one => one.token === own.token);
  return [el('p', {}, `${own.count > 1 ? own.count + ' × ' : ''}${when(own.period)}`),
    el('ul', {}, ...[line('venue.code', own.code), due ? line(open ? 'venue.due' : 'venue.paid', money(due)) : null,
      ...(open ? [line('venue.payee', paying.payee), line('venue.iban', paying.iban),
        line('venue.message', paying.iban && own.code), line('venue.link', paying.link)] : [])].filter(Boolean)),
    ...(pending ? drawAsk(pending)
      : [spent, slide(t('venue.cancel'), () => ask('give-back', { token: own.token })), drawGive(own)])];
}

// Who gets a booking stays chosen whatever is drawn anew, and the slide says who it is.
function drawGive({ token }) {
  const { gifts } = venue, people = [...flight.peers.values()].filter(peer => !peer.left && !peer.blocked);
  const to = el('select', {}, el('option', { value: '' }, '–'), ...people.map(peer =>
    el('option', { value: peer.key, selected: gifts.get(token) === peer.key }, flight.name(peer))));
  const end = el('div'), draw = () => {
    const who = people.find(peer => peer.key === to.value);
    end.replaceChildren(...(who ? [slide(t('venue.give.slide', { name: flight.name(who) }),
      () => ask('give-back', { token, to: who.key }))] : []));
  };
  to.addEventListener('change', () => { gifts.set(token, to.value); draw(); });
  draw();
  // The event of opening comes later: what is drawn anew before it would be shut.
  const turn = ({ currentTarget }) => {
    if (currentTarget.parentNode.open) gifts.delete(token); else gifts.set(token, to.value);
  };
  return el('details', { open: gifts.has(token), hidden: !people.length },
    el('summary', { onclick: turn }, t('venue.give')), el('label', {}, t('venue.give.to'), to), end);
}

// What the desk has not answered.
function drawAsk(one) {
  return [one.period && el('p', {}, when(one.period)),
    el('p', { class: 'quiet' }, one.state === 'waiting' ? t('venue.waiting', { count: one.waiting || 1 })
      : t(one.token ? 'venue.stands' : 'venue.asked')),
    button(t('request.cancel'), async () => {
      await wire.act('withdraw-ask', { ask: one.ask });
      closeSheet();
      refresh('day');
    })].filter(Boolean);
}

function drawBookings() {
  const section = document.getElementById('requests'), { sheet } = venue;
  if (!sheet) return;
  const active = document.activeElement;
  clearTimeout(drawBookings.later);
  // A slide under a finger stays where it is.
  if (section.contains(active) && /range|select/.test(active.type)) {
    drawBookings.later = setTimeout(redraw, 1500, 'requests');
    return;
  }
  section.replaceChildren(
    ...sheet.own.map(own => el('article', {}, el('h2', {}, own.name), ...drawOwn(own))),
    // What is asked about a booking stands with it.
    ...sheet.asks.filter(one => one.kind === 'book').map(one =>
      el('article', {}, el('h2', {}, placeName(one.place)), ...drawAsk(one))));
  if (!section.children.length) section.append(el('p', { class: 'quiet' }, t('venue.none')));
}

function placeName(place) {
  const rows = venue.sheet.tables.flatMap(table => table.rows);
  return (rows.find(row => row.place === place) || { name: String(place) }).name;
}

function drawMember() {
  const section = document.getElementById('self'), me = flight.status && flight.status.me;
  if (!me || section.contains(document.activeElement) && document.activeElement.type === 'text') return;
  section.replaceChildren(el('h2', {}, me.name || wire.name() || me.tag, ' ', el('span', { class: 'quiet' }, me.tag)),
    el('p', {}, [venue.sheet && venue.sheet.class].filter(Boolean).join('')),
    field('name', t('self.name'), me.name || wire.name(), t('self.rename'), async text => wire.act('rename', { name: text })),
    ...(wire.right() === 'guest' ? drawLeave(section) : []),
    ...[drawGift()].filter(Boolean), drawFooter());
}

// A guest's agent goes with its key, and nobody can cancel then what it has booked.
function drawLeave(section) {
  const isBooked = venue.sheet && venue.sheet.own.length;
  return [el('p', {}, t('join.host')), isBooked ? el('p', { class: 'warn' }, t('venue.leave')) : null,
    button(t('guest.leave'), async () => {
      tell(t('guest.leaves'));
      await wire.act('leave');
      document.querySelector('nav').hidden = true;
      // Nothing that waited for a press is drawn over it.
      drawings.self = null;
      section.replaceChildren(el('p', {}, t('guest.left')));
    }, 'grave')].filter(Boolean);
}

// Nothing about seats is asked any more: the agent of a venue has none.
for (const one of ['seats', 'requests', 'self']) delete readers[one];
readers.day = async () => {
  clearTimeout(venue.later);
  try { venue.sheet = await wire.look('day', venue.day ? { day: venue.day } : {}); } catch (error) {
    if (venue.sheet) throw error;
    // Nothing tells when the operator's words have come.
    venue.later = setTimeout(refresh, 3000, 'day', 'venue');
    await needCodes();
    document.getElementById('map').replaceChildren(el('p', { class: 'quiet' },
      error.what ? coded('error', error.code, error.what) : t('error.other')));
    return;
  }
  if (venue.sheet.must_join) {
    venue.form = (await wire.look('forms')).forms.filter(one => one.kind === 'join').pop() || null;
  }
  document.getElementById('flight').textContent = venue.sheet.name;
  redraw('cabin', 'requests', 'self');
};
readers.venue = async () => {
  venue.status = await wire.look('venue');
  redraw('cabin');
};
const readPeers = readers.peers;
readers.peers = async () => {
  await readPeers();
  redraw('requests');
};
readers.self = async () => redraw('self');
Object.assign(drawings, { cabin: drawDay, requests: drawBookings, self: drawMember });
takeEvent.other = event => {
  if (event.event === 'attendance') refresh('day', 'venue');
  else if (event.event === 'booking') {
    if (event.asked) {
      venue.heard.set(event.asked.ask, event.asked);
      tellOutcome(event.asked);
    }
    refresh('day');
  // Who had no name says one with their first line.
  } else if (event.event === 'peer' || event.event === 'chat') refresh('day', 'peers');
};
// Behind a change of one's name, nothing of a flight is read.
again = async () => refresh('status');
document.getElementById('tab-cabin').textContent = t('tab.day');
document.getElementById('tab-requests').textContent = t('tab.bookings');
document.getElementById('map').className = 'venue';
refresh('day', 'venue', 'peers', 'lines');
redraw('self');
