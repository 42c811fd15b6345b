"""What the dashboard's pages share: session state, charts drawn from engine results, texts and widgets."""
