import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.js';
import { listenForOpenedNotifications } from './connection/push.js';
import './styles/index.css';

listenForOpenedNotifications();
const place = document.getElementById('app');
if (place)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
